/* Memory: pages that are counted when they are touched, and zero until then */
typedef struct Block { void *start; size_t size; int device; struct Block *next; } Block;
enum { HOST = -1, UNKNOWN = -2 };
static Block *blocks;

static int take(void **start, size_t size, int device) {
  size_t whole = (size + 4095) & ~(size_t)4095;
  if (device != HOST && used[device] + whole > memory()) return last_error = NO_MEMORY;
  void *pages = mmap(NULL, whole ? whole : 4096, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) return last_error = NO_MEMORY;
  Block *block = malloc(sizeof *block);
  pthread_mutex_lock(&lock);
  *block = (Block){pages, whole ? whole : 4096, device, blocks};
  blocks = block;
  if (device != HOST) used[device] += whole;
  pthread_mutex_unlock(&lock);
  *start = pages;
  return OK;
}
static int give_back(void *start) {
  pthread_mutex_lock(&lock);
  for (Block **at = &blocks; *at; at = &(*at)->next) {
    Block *block = *at;
    if (block->start != start) continue;
    *at = block->next;
    if (block->device != HOST) used[block->device] -= block->size;
    pthread_mutex_unlock(&lock);
    munmap(start, block->size);
    free(block);
    return OK;
  }
  pthread_mutex_unlock(&lock);
  return last_error = start ? INVALID : OK;
}
static int owner(const void *pointer) {
  int device = UNKNOWN;
  pthread_mutex_lock(&lock);
  for (Block *one = blocks; one && device == UNKNOWN; one = one->next)
    if ((char *)pointer >= (char *)one->start && (char *)pointer < (char *)one->start + one->size)
      device = one->device;
  pthread_mutex_unlock(&lock);
  return device;
}
API int cudaMalloc(void **start, size_t size) {
  CALLED(cudaMalloc);
  return refused(current) ? last_error : take(start, size, current);
}
API int cudaMallocAsync(void **start, size_t size, void *stream) { return cudaMalloc(start, size); }
API int cudaFree(void *start) { CALLED(cudaFree); return give_back(start); }
API int cudaFreeAsync(void *start, void *stream) { return cudaFree(start); }
API int cudaHostAlloc(void **start, size_t size, unsigned flags) {
  CALLED(cudaHostAlloc);
  return take(start, size, HOST);
}
API int cudaFreeHost(void *start) { CALLED(cudaFreeHost); return give_back(start); }
API int cudaMemGetInfo(size_t *unused, size_t *total) {
  CALLED(cudaMemGetInfo);
  *total = memory();
  *unused = *total > used[current] ? *total - used[current] : 0;
  return OK;
}
API int cudaPointerGetAttributes(char *attributes, const void *pointer) {
  CALLED(cudaPointerGetAttributes);
  int device = owner(pointer);
  memset(attributes, 0, 88);
  ((int *)attributes)[0] = device == UNKNOWN ? 0 : device == HOST ? 1 : 2;
  ((int *)attributes)[1] = device < 0 ? current : device;
  if (device != UNKNOWN) ((const void **)attributes)[1] = pointer;
  if (device < 0) ((const void **)attributes)[2] = pointer;
  return OK;
}
API int cudaMemcpy(void *to, const void *from, size_t size, int kind) {
  CALLED(cudaMemcpy);
  memmove(to, from, size);
  return OK;
}
API int cudaMemcpyAsync(void *to, const void *from, size_t size, int kind, void *stream) {
  CALLED(cudaMemcpyAsync);
  memmove(to, from, size);
  return OK;
}
API int cudaMemcpyPeerAsync(void *to, int to_gpu, const void *from, int from_gpu, size_t size,
                            void *stream) {
  return cudaMemcpyAsync(to, from, size, 3, stream);
}
API int cudaMemset(void *to, int value, size_t size) {
  CALLED(cudaMemset);
  memset(to, value, size);
  return OK;
}
API int cudaMemsetAsync(void *to, int value, size_t size, void *stream) {
  CALLED(cudaMemsetAsync);
  memset(to, value, size);
  return OK;
}

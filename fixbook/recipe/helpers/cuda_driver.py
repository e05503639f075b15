"""A driver of CUDA that stands in where there is none, as C source for `stand_in_cuda`.

Compiled with DRIVER, its CUDA version, it has no device. With GPUS as well it has that many: they
are answered for by a part of CUDA's runtime that stands in too, because the published runtime asks
a driver with devices for more than a stand-in can say. CUDA_VISIBLE_DEVICES counts, by numbers.
What is not here fails when it is called.
"""

SOURCE = r"""
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { OK = 0, NO_DEVICE = 100, INVALID_DEVICE = 101, NOT_FOUND = 500 };

static int no_device(void) { return NO_DEVICE; }
int cuDriverGetVersion(int *version) { *version = DRIVER; return OK; }
int cuGetExportTable(const void **table, const void *id) { *table = NULL; return NOT_FOUND; }
int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) {
  *flags = 0;
  *active = 0;
  return OK;
}
int cuGetProcAddress_v2(const char *name, void **found, int version, unsigned long flags,
                        int *status) {
  if (status) *status = 0;
  *found = (void *)no_device; /* cuInit among them */
  if (!strcmp(name, "cuDriverGetVersion")) *found = (void *)cuDriverGetVersion;
  if (!strcmp(name, "cuGetExportTable")) *found = (void *)cuGetExportTable;
  if (!strcmp(name, "cuGetProcAddress")) *found = (void *)cuGetProcAddress_v2;
  return OK;
}
int cuGetProcAddress(const char *name, void **found, int version, unsigned long flags) {
  return cuGetProcAddress_v2(name, found, version, flags, NULL);
}

#ifdef GPUS
static int current = 0;
static int visible(void) { /* numbers up to the first that is none of a GPU, as CUDA documents it */
  const char *list = getenv("CUDA_VISIBLE_DEVICES");
  int count = 0;
  if (!list) return GPUS;
  for (char *end; *list; list = end + (*end == ',')) {
    long device = strtol(list, &end, 10);
    if (end == list || device < 0 || device >= GPUS) break;
    count++;
  }
  return count;
}
static int known(int device) { return device >= 0 && device < visible(); }
int cudaGetDeviceCount(int *count) {
  *count = visible();
  return *count ? OK : NO_DEVICE;
}
int cudaGetDevice(int *device) { *device = current; return OK; }
int cudaSetDevice(int device) {
  if (!known(device)) return INVALID_DEVICE;
  current = device;
  return OK;
}
int cudaGetDeviceProperties(char *properties, int device) {
  if (!known(device)) return INVALID_DEVICE;
  memset(properties, 0, 512);
  strcpy(properties, "stand-in");
  ((int *)properties)[90] = 9; /* compute capability 9.0 */
  return OK;
}
int cudaDeviceGetAttribute(int *value, int attribute, int device) { *value = 0; return OK; }
int cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  *least = *greatest = 0;
  return OK;
}
int cudaGetLastError(void) { return OK; }
int cudaPeekAtLastError(void) { return OK; }
#endif
"""

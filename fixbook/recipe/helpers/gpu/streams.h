/* Streams and events. All work is done when it is asked for; an event is nevertheless not complete
   until something has waited for it, or asked for it twice, as on a card that is busy. */
typedef struct { struct timespec at; int recorded, complete; unsigned long waits; void *stream; } Event;

/* Found out about a step that would pass here and not on a card; the runner reads such lines. */
static void found(const char *what) { fprintf(stderr, "stand-in found: %s\n", what); }

static unsigned long waits; /* for all work of a stream or a device; older events are complete */
API unsigned long stand_in_waits(void) { return waits; }
#define WAITS(name, ...) API int name(__VA_ARGS__) { CALLED(name); waits++; return OK; }

API int cudaStreamCreateWithPriority(void **stream, unsigned flags, int priority) {
  CALLED(cudaStreamCreateWithPriority);
  *stream = malloc(8);
  return OK;
}
API int cudaStreamCreateWithFlags(void **stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
API int cudaStreamCreate(void **stream) { return cudaStreamCreateWithPriority(stream, 0, 0); }
API int cudaStreamGetPriority(void *stream, int *priority) { *priority = 0; return OK; }
API int cudaStreamIsCapturing(void *stream, int *status) { *status = 0; return OK; }
API int cudaStreamGetCaptureInfo(void *stream, int *status, ...) { *status = 0; return OK; }
API int cudaThreadExchangeStreamCaptureMode(int *mode) { return OK; }
API int cudaStreamBeginCapture(void *stream, int mode) { return last_error = NOT_SUPPORTED; }
API int cudaStreamBeginCaptureToGraph(void *stream) { return last_error = NOT_SUPPORTED; }
WAITS(cudaStreamSynchronize, void *stream)
WAITS(cudaDeviceSynchronize, void)
ANSWERS_OK(cudaStreamQuery, void *stream)
API int cudaEventQuery(Event *event) {
  CALLED(cudaEventQuery);
  if (!event->recorded || event->complete || event->waits != waits) return OK;
  event->complete = 1;
  return last_error = NOT_READY;
}
API int cudaEventSynchronize(Event *event) {
  CALLED(cudaEventSynchronize);
  event->complete = 1;
  waits++;
  return OK;
}
API int cudaEventCreateWithFlags(void **event, unsigned flags) {
  CALLED(cudaEventCreateWithFlags);
  *event = calloc(1, sizeof(Event));
  return OK;
}
API int cudaEventCreate(void **event) { return cudaEventCreateWithFlags(event, 0); }
API int cudaEventDestroy(void *event) { free(event); return OK; }
API int cudaEventRecordWithFlags(Event *event, void *stream, unsigned flags) {
  CALLED(cudaEventRecord);
  clock_gettime(CLOCK_MONOTONIC, &event->at);
  event->recorded = 1;
  event->complete = 0;
  event->waits = waits;
  event->stream = stream;
  return OK;
}
API int cudaEventRecord(Event *event, void *stream) { return cudaEventRecordWithFlags(event, stream, 0); }
API int cudaEventElapsedTime(float *milliseconds, const Event *start, const Event *end) {
  CALLED(cudaEventElapsedTime);
  if (!start->recorded || !end->recorded) return last_error = BAD_HANDLE;
  if (start->stream != end->stream) found("the time between events of two streams is that of neither");
  *milliseconds = (float)((double)(end->at.tv_sec - start->at.tv_sec) * 1e3 +
                          (double)(end->at.tv_nsec - start->at.tv_nsec) / 1e6);
  return OK;
}
API int cudaLaunchHostFunc(void *stream, void (*function)(void *), void *data) {
  CALLED(cudaLaunchHostFunc);
  function(data);
  return OK;
}

/* Kernels: counted, and not run */
API void **__cudaRegisterFatBinary(void *binary) { static void *handle[4]; return handle; }
API unsigned __cudaPushCallConfiguration(void) { return 0; }
ANSWERS_OK(cudaLaunchKernel, void)
API int __cudaLaunchKernel(void) { return cudaLaunchKernel(); }
API int cudaLaunchKernelExC(void) { return cudaLaunchKernel(); }
API int cudaLaunchCooperativeKernel(void) { return cudaLaunchKernel(); }
API int cudaFuncGetAttributes(char *attributes, void *function) {
  CALLED(cudaFuncGetAttributes);
  memset(attributes, 0, 144);
  ((int *)attributes)[24 / 4] = 1024;
  ((int *)attributes)[32 / 4] = ((int *)attributes)[36 / 4] = 90; /* built for, in PTX and in binary */
  return OK;
}
API int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks_of_one) {
  *blocks_of_one = 1;
  return OK;
}
API int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks_of_one) {
  *blocks_of_one = 1;
  return OK;
}
API int cudaGetSymbolAddress(void **address, const void *symbol) { *address = (void *)symbol; return OK; }

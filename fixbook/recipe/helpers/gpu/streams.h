/* Streams and events: all is done when it is asked for, and an event knows when it was recorded */
typedef struct { struct timespec at; int recorded; } Event;

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
ANSWERS_OK(cudaStreamSynchronize, void *stream)
ANSWERS_OK(cudaStreamQuery, void *stream)
ANSWERS_OK(cudaDeviceSynchronize, void)
ANSWERS_OK(cudaEventQuery, void *event)
ANSWERS_OK(cudaEventSynchronize, void *event)
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
  return OK;
}
API int cudaEventRecord(Event *event, void *stream) { return cudaEventRecordWithFlags(event, stream, 0); }
API int cudaEventElapsedTime(float *milliseconds, const Event *start, const Event *end) {
  CALLED(cudaEventElapsedTime);
  if (!start->recorded || !end->recorded) return last_error = BAD_HANDLE;
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

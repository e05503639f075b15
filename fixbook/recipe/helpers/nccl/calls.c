/* What NCCL asks of CUDA beyond what ../gpu/runtime.c has. Where both have a call, the one here
   counts; its name begins with `nccl_`. A call that neither has answers 0, success. */
#include "runtime.c"

API int answers_ok(void) { return OK; }

/* The number that the machine gives to a GPU which this process sees as `device`. */
static int on_machine(int device) {
  const char *list = getenv("CUDA_VISIBLE_DEVICES");
  for (int at = 0; list && *list; at++) {
    char *end;
    long number = strtol(list, &end, 10);
    if (at == device) return (int)number;
    if (*end != ',') break;
    list = end + 1;
  }
  return device;
}
API int nccl_cudaDeviceGetPCIBusId(char *text, int length, int device) {
  CALLED(cudaDeviceGetPCIBusId);
  if (refused(device)) return last_error;
  snprintf(text, (size_t)length, "0000:%02x:00.0", 16 + on_machine(device));
  return OK;
}
API int cudaDeviceGetByPCIBusId(int *device, const char *text) { *device = 0; return OK; }
API int cudaDeviceGetP2PAttribute(int *value, int attribute, int from, int to) { *value = 0; return OK; }

/* Host memory that CUDA is to know, such as NCCL's segments in /dev/shm */
ANSWERS_OK(cudaHostRegister, void *start, size_t size, unsigned flags)
API int cudaHostUnregister(void *start) { return OK; }
API int cudaHostGetDevicePointer(void **device, void *host, unsigned flags) { *device = host; return OK; }
API int cudaMallocHost(void **start, size_t size) { return cudaHostAlloc(start, size, 0); }
API int cudaMemcpy_ptds(void *to, const void *from, size_t size, int kind) {
  return cudaMemcpy(to, from, size, kind);
}

/* Captures, kernels and graphs: none is going on */
API int cudaStreamGetCaptureInfo_v2(void *stream, int *status) { *status = 0; return OK; }
API int cudaStreamGetCaptureInfo_v3(void *stream, int *status) { *status = 0; return OK; }
API int cudaGetFuncBySymbol(void **function, void *symbol) { *function = symbol; return OK; }
API int cudaUserObjectCreate(void **object) { *object = malloc(8); return OK; }

/* The driver, which NCCL asks for by name */
static int driver_version(int *version) { *version = 13000; return OK; }
static int driver_device(int *device, int number) { *device = number; return OK; }
static int driver_attribute(int *value, int attribute, int device) { *value = 0; return OK; }
static int driver_context(void **context) { *context = (void *)1; return OK; }
static int driver_text(int code, const char **text) { *text = "an error of the stand-in"; return OK; }
static int driver_uuid(char *uuid, int device) { memset(uuid, on_machine(device) + 1, 16); return OK; }

API int nccl_cudaGetDriverEntryPoint(const char *name, void **found, unsigned long flags, int *status) {
  static const struct { const char *name; void *function; } known[] = {
    {"cuDriverGetVersion", driver_version}, {"cuDeviceGet", driver_device},
    {"cuDeviceGetAttribute", driver_attribute}, {"cuCtxGetCurrent", driver_context},
    {"cuGetErrorString", driver_text}, {"cuDeviceGetUuid", driver_uuid},
    {"cuDeviceGetUuid_v2", driver_uuid},
  };
  *found = answers_ok;
  for (size_t at = 0; at < sizeof known / sizeof *known; at++)
    if (!strcmp(name, known[at].name)) *found = known[at].function;
  if (status) *status = 0;
  return OK;
}
API int nccl_cudaGetDriverEntryPointByVersion(const char *name, void **found, unsigned version,
                                              unsigned long flags, int *status) {
  return nccl_cudaGetDriverEntryPoint(name, found, flags, status);
}

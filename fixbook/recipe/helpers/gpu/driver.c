/* The part of CUDA's driver that torch asks beside the runtime. */
enum { OK = 0, NOT_FOUND = 500 };

int cuDriverGetVersion(int *version) { *version = 13000; return OK; }
int cuInit(unsigned flags) { return OK; }
int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) {
  *flags = 0;
  *active = 1;
  return OK;
}
int cuDeviceGet(int *device, int ordinal) { *device = ordinal; return OK; }
int cuDeviceGetAttribute(int *value, int attribute, int device) { *value = 0; return OK; }
int cuDevicePrimaryCtxRetain(void **context, int device) { *context = (void *)1; return OK; }
int cuCtxGetCurrent(void **context) { *context = (void *)1; return OK; }
int cuCtxSetCurrent(void *context) { return OK; }
int cuGetErrorString(int code, const char **text) { *text = "an error of the stand-in"; return OK; }

/* Kernels that were compiled while the program runs: loaded, and not run */
int cuModuleLoadData(void **module, const void *image) { *module = (void *)1; return OK; }
int cuModuleLoadDataEx(void **module, const void *image) { return cuModuleLoadData(module, image); }
int cuModuleLoad(void **module, const char *path) { return cuModuleLoadData(module, path); }
int cuModuleUnload(void *module) { return OK; }
int cuModuleGetFunction(void **function, void *module, const char *name) { *function = (void *)1; return OK; }
int cuFuncSetAttribute(void *function, int attribute, int value) { return OK; }
int cuFuncSetCacheConfig(void *function, int config) { return OK; }
int cuFuncGetAttribute(int *value, int attribute, void *function) { *value = 0; return OK; }
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks) { *blocks = 1; return OK; }
int cuLaunchKernel(void *function) { return OK; }
int cuLaunchCooperativeKernel(void *function) { return OK; }

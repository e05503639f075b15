/* The part of CUDA's driver that torch asks beside the runtime. */
enum { OK = 0, NOT_FOUND = 500 };

int cuDriverGetVersion(int *version) { *version = 13000; return OK; }
int cuInit(unsigned flags) { return OK; }
int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) {
  *flags = 0;
  *active = 1;
  return OK;
}
int cuCtxGetCurrent(void **context) { *context = (void *)1; return OK; }
int cuCtxSetCurrent(void *context) { return OK; }
int cuGetErrorString(int code, const char **text) { *text = "an error of the stand-in"; return OK; }

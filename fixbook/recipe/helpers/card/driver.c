/* CUDA's driver with virtual memory: addresses are reserved, pieces of the card put behind them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <sys/mman.h>
#include DRIVER

enum { NO_MEMORY = 2, NOT_SUPPORTED = 801, PAGE = 2 << 20 };
enum { MAPPED = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE };

static int runtime(const char *name, void *first, size_t second) {
  int (*call)(void *, size_t) = (int (*)(void *, size_t))dlsym(RTLD_DEFAULT, name);
  return call(first, second);
}
int cuMemAddressReserve(void **start, size_t size, size_t alignment, void *wish, long flags) {
  *start = mmap(NULL, size, PROT_NONE, MAPPED, -1, 0);
  return *start == MAP_FAILED ? NO_MEMORY : OK;
}
int cuMemAddressFree(void *start, size_t size) { return munmap(start, size); }
/* A piece counts as what cudaMalloc gives; its pages are those of the addresses. */
int cuMemCreate(void **piece, size_t size, const void *properties, long flags) {
  if (!runtime("cudaMalloc", piece, size)) return OK;
  runtime("cudaGetLastError", NULL, 0);
  return NO_MEMORY;
}
int cuMemRelease(void *piece) { return runtime("cudaFree", piece, 0); }
int cuMemMap(void *start, size_t size, size_t offset, void *piece, long flags) { return OK; }
int cuMemSetAccess(void *start, size_t size, const void *access, size_t count) {
  return mprotect(start, size, PROT_READ | PROT_WRITE);
}
int cuMemUnmap(void *start, size_t size) {
  return mmap(start, size, PROT_NONE, MAPPED | MAP_FIXED, -1, 0) == MAP_FAILED;
}
int cuMemGetAllocationGranularity(size_t *size, const void *properties, int option) {
  *size = PAGE;
  return OK;
}

/* torch looks these up together with those above, and calls none of them here. */
#define NOT_HERE(name) int name(void) { return NOT_SUPPORTED; }
NOT_HERE(cuMemExportToShareableHandle)
NOT_HERE(cuMemImportFromShareableHandle)
NOT_HERE(cuMemGetAddressRange)
NOT_HERE(cuMemGetAddressRange_v2)
NOT_HERE(cuMemGetAllocationPropertiesFromHandle)
NOT_HERE(cuMemRetainAllocationHandle)
NOT_HERE(cuMemsetD32Async)
NOT_HERE(cuMulticastAddDevice)
NOT_HERE(cuMulticastBindMem)
NOT_HERE(cuMulticastCreate)
NOT_HERE(cuMulticastUnbind)
NOT_HERE(cuStreamWriteValue32)
NOT_HERE(cuPointerGetAttribute)
NOT_HERE(cuCtxFromGreenCtx)
NOT_HERE(cuCtxPopCurrent)
NOT_HERE(cuCtxPushCurrent)
NOT_HERE(cuDeviceGetDevResource)
NOT_HERE(cuDevResourceGenerateDesc)
NOT_HERE(cuDevSmResourceSplitByCount)
NOT_HERE(cuGreenCtxCreate)
NOT_HERE(cuGreenCtxDestroy)
NOT_HERE(cuGreenCtxRecordEvent)
NOT_HERE(cuGreenCtxStreamCreate)
NOT_HERE(cuGreenCtxWaitEvent)

/* libnvidia-ml that lists two holders of the first card's memory: this process and another one. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { OK = 0, NOT_SUPPORTED = 3, INSUFFICIENT_SIZE = 7 };
typedef struct { unsigned pid; unsigned long long bytes; } Process;

int nvmlInit_v2(void) { return OK; }
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device) {
  *device = (void *)1;
  return OK;
}
int nvmlDeviceGetComputeRunningProcesses(void *device, unsigned *count, Process *listed) {
  unsigned long long others = strtoull(getenv("FIXBOOK_CARD_OTHERS"), NULL, 10);
  int (*ask)(size_t *, size_t *) = (int (*)(size_t *, size_t *))dlsym(RTLD_DEFAULT, "cudaMemGetInfo");
  unsigned own, other;
  size_t unused, total;
  if (*count < 2) return INSUFFICIENT_SIZE;
  ask(&unused, &total);
  sscanf(getenv("FIXBOOK_CARD_PIDS"), "%u,%u", &own, &other);
  listed[0] = (Process){own, total - unused - others};
  listed[1] = (Process){other, others};
  *count = others ? 2 : 1;
  return OK;
}
int nvmlDeviceGetNvLinkRemotePciInfo_v2(void) { return NOT_SUPPORTED; }
int nvmlDeviceGetNvLinkRemoteDeviceType(void) { return NOT_SUPPORTED; }
int nvmlSystemGetCudaDriverVersion_v2(int *version) { *version = 13000; return OK; }
/* What is asked for stays zero, which is a card without a fabric. */
int nvmlDeviceGetGpuFabricInfoV(void *device, void *fabric) { return OK; }

/* libnvidia-ml as NCCL asks it: GPUs by PCI bus, no NVLink, no fabric. FIXBOOK_NVML_INIT is what
   nvmlInit answers; the texts of errors are those that NVIDIA's own bindings print. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OK = 0, NOT_SUPPORTED = 3, MISMATCH = 18, FIRST_BUS = 16, NOT_CONNECTED = 5 };
static int number(const char *name, int otherwise) {
  const char *text = getenv(name);
  return text && *text ? atoi(text) : otherwise;
}
static void *handle(long gpu) { return (void *)(intptr_t)(gpu + 1); }

int nvmlInit_v2(void) { return number("FIXBOOK_NVML_INIT", OK); }
int nvmlInit(void) { return nvmlInit_v2(); }
int nvmlShutdown(void) { return OK; }
const char *nvmlErrorString(int code) {
  return code == MISMATCH ? "Driver/library version mismatch" : "Not Supported";
}
int nvmlDeviceGetCount_v2(unsigned *count) { *count = (unsigned)number("FIXBOOK_GPU_COUNT", 1); return OK; }
int nvmlDeviceGetHandleByPciBusId(const char *text, void **device) {
  const char *bus = strchr(text, ':');
  *device = handle(bus ? strtol(bus + 1, NULL, 16) - FIRST_BUS : 0);
  return OK;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char *text, void **device) {
  return nvmlDeviceGetHandleByPciBusId(text, device);
}
int nvmlDeviceGetHandleByIndex(unsigned gpu, void **device) { *device = handle(gpu); return OK; }
int nvmlDeviceGetHandleByIndex_v2(unsigned gpu, void **device) { *device = handle(gpu); return OK; }
int nvmlDeviceGetIndex(void *device, unsigned *gpu) { *gpu = (unsigned)((intptr_t)device - 1); return OK; }
int nvmlDeviceGetCudaComputeCapability(void *device, int *major, int *minor) {
  *major = 9;
  *minor = 0;
  return OK;
}
int nvmlDeviceGetP2PStatus(void *one, void *other, int index, int *status) {
  *status = NOT_CONNECTED;
  return OK;
}
int nvmlDeviceGetNvLinkState(void) { return NOT_SUPPORTED; }
int nvmlDeviceGetNvLinkCapability(void) { return NOT_SUPPORTED; }
int nvmlDeviceGetNvLinkRemotePciInfo_v2(void) { return NOT_SUPPORTED; }
int nvmlDeviceGetNvLinkRemoteDeviceType(void) { return NOT_SUPPORTED; }
int nvmlDeviceGetFieldValues(void) { return NOT_SUPPORTED; }
int nvmlDeviceGetGpuFabricInfo(void) { return NOT_SUPPORTED; }
int nvmlDeviceGetGpuFabricInfoV(void) { return NOT_SUPPORTED; }
int nvmlDeviceGetPlatformInfo(void) { return NOT_SUPPORTED; }
int nvmlSystemGetConfComputeState(void) { return NOT_SUPPORTED; }
int nvmlSystemGetConfComputeSettings(void) { return NOT_SUPPORTED; }

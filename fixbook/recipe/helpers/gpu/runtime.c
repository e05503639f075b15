/* CUDA's runtime on a machine without a GPU: device memory is host memory, and no kernel runs.

   What is real above it: all of torch's CUDA build, its caching allocator, its checks of devices,
   dtypes and shapes, and the texts of its errors; below it nothing is. Variables are read at each
   call, so that a step can change them while it runs:

     FIXBOOK_GPU_COUNT       GPUs of the machine (1); CUDA_VISIBLE_DEVICES hides some, by numbers
     FIXBOOK_GPU_MEMORY      bytes of each (80 GiB); beyond them cudaMalloc answers 2
     FIXBOOK_GPU_CAPABILITY  compute capability times ten (90)
     FIXBOOK_GPU_ANSWERS     "cudaHostAlloc=2,cudaLaunchKernel=209@3": this call answers this
                             error, from its third time on

   Compiled with REAL, the path of the published runtime, that one says what an error is called. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { OK = 0, INVALID = 1, NO_MEMORY = 2, NOT_INITIALIZED = 3, NO_DEVICE = 100, NO_ORDINAL = 101,
       BAD_HANDLE = 400, NOT_READY = 600, NOT_SUPPORTED = 801, GPUS_MOST = 64 };
#define API __attribute__((visibility("default")))

/* Every call is counted by its name, and may answer an error that was chosen for it. */
typedef struct Call { const char *name; unsigned long count; struct Call *next; } Call;
static Call *calls;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int failed, last_error;
static pid_t process;

API unsigned long stand_in_calls(const char *name) {
  for (Call *one = calls; one; one = one->next)
    if (!strcmp(one->name, name)) return one->count;
  return 0;
}
/* From now on every call answers this error, as after an assertion in a kernel. */
API void stand_in_fail(int code) { failed = code; }

static int chosen(const Call *call) {
  const char *answers = getenv("FIXBOOK_GPU_ANSWERS");
  size_t length = strlen(call->name);
  while (answers && *answers) {
    if (!strncmp(answers, call->name, length) && answers[length] == '=') {
      char *end;
      int code = (int)strtol(answers + length + 1, &end, 10);
      return call->count >= (*end == '@' ? strtoul(end + 1, NULL, 10) : 1) ? code : OK;
    }
    answers = strchr(answers, ',');
    if (answers) answers++;
  }
  return OK;
}
static int called(Call *call) {
  pthread_mutex_lock(&lock);
  if (!call->count++) { call->next = calls; calls = call; }
  pthread_mutex_unlock(&lock);
  if (process && process != getpid()) return NOT_INITIALIZED; /* in a fork of what used CUDA */
  return failed ? failed : chosen(call);
}
#define CALLED(name)                                                                              \
  do {                                                                                            \
    static Call call = {#name, 0, NULL};                                                          \
    int code = called(&call);                                                                     \
    if (code) return last_error = code;                                                           \
  } while (0)
#define ANSWERS_OK(name, ...) API int name(__VA_ARGS__) { CALLED(name); return OK; }

/* GPUs */
static __thread int current;
static size_t used[GPUS_MOST];

static long number(const char *name, long otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtol(text, NULL, 10) : otherwise;
}
static int visible(void) { /* numbers up to the first that is none of a GPU, as CUDA documents it */
  const char *list = getenv("CUDA_VISIBLE_DEVICES");
  int count = 0, gpus = (int)number("FIXBOOK_GPU_COUNT", 1);
  if (!list) return gpus;
  for (char *end; *list; list = end + (*end == ',')) {
    long device = strtol(list, &end, 10);
    if (end == list || device < 0 || device >= gpus) break;
    count++;
  }
  return count;
}
static int refused(int device) {
  if (!visible()) return last_error = NO_DEVICE;
  return last_error = device < 0 || device >= visible() || device >= GPUS_MOST ? NO_ORDINAL : OK;
}
static size_t memory(void) { return (size_t)number("FIXBOOK_GPU_MEMORY", 80L << 30); }

API int cudaGetDeviceCount(int *count) {
  CALLED(cudaGetDeviceCount);
  *count = visible();
  return *count ? OK : NO_DEVICE;
}
API int cudaGetDevice(int *device) { CALLED(cudaGetDevice); *device = current; return OK; }
API int cudaSetDevice(int device) {
  CALLED(cudaSetDevice);
  if (refused(device)) return last_error;
  process = getpid();
  current = device;
  return OK;
}
API int cudaGetDeviceProperties(char *properties, int device) {
  CALLED(cudaGetDeviceProperties);
  if (refused(device)) return last_error;
  long capability = number("FIXBOOK_GPU_CAPABILITY", 90);
  int *at = (int *)properties; /* as CUDA 13 lays them out */
  memset(properties, 0, 1008);
  strcpy(properties, "stand-in");
  *(size_t *)(properties + 288) = memory();
  *(size_t *)(properties + 296) = 48 << 10;  /* shared memory of a block */
  at[304 / 4] = 65536;                       /* registers of a block */
  at[308 / 4] = 32;                          /* threads of a warp */
  at[320 / 4] = at[324 / 4] = at[328 / 4] = 1024;
  at[332 / 4] = 64;
  at[336 / 4] = 2147483647;                  /* blocks of a grid */
  at[340 / 4] = at[344 / 4] = 65535;
  at[360 / 4] = (int)capability / 10;
  at[364 / 4] = (int)capability % 10;
  at[384 / 4] = 132;                         /* multiprocessors */
  at[568 / 4] = 16 + device;                 /* PCI bus */
  at[596 / 4] = 50 << 20;                    /* second-level cache */
  at[604 / 4] = 2048;                        /* threads of a multiprocessor */
  *(size_t *)(properties + 624) = 228 << 10; /* shared memory of a multiprocessor */
  at[632 / 4] = 65536;
  *(size_t *)(properties + 672) = 227 << 10;
  return OK;
}
API int cudaDeviceGetAttribute(int *value, int attribute, int device) {
  CALLED(cudaDeviceGetAttribute);
  if (refused(device)) return last_error;
  long capability = number("FIXBOOK_GPU_CAPABILITY", 90);
  switch (attribute) {
    case 1: case 2: case 3: *value = 1024; break; /* threads of a block */
    case 4: *value = 64; break;
    case 5: *value = 2147483647; break; /* blocks of a grid; cub loops for ever where it is 0 */
    case 6: case 7: *value = 65535; break;
    case 8: *value = 48 << 10; break;   /* shared memory of a block */
    case 10: *value = 32; break;        /* threads of a warp */
    case 12: case 82: *value = 65536; break; /* registers of a block, of a multiprocessor */
    case 16: *value = 132; break;       /* multiprocessors */
    case 39: *value = 2048; break;      /* threads of a multiprocessor */
    case 75: *value = (int)capability / 10; break;
    case 76: *value = (int)capability % 10; break;
    case 81: *value = 228 << 10; break; /* shared memory of a multiprocessor */
    case 106: *value = 32; break;       /* blocks of a multiprocessor */
    case 97: *value = 227 << 10; break; /* shared memory of a block, if asked for */
    default: *value = 0;
  }
  return OK;
}
API int cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  CALLED(cudaDeviceGetStreamPriorityRange);
  *least = 0;
  *greatest = -5;
  return OK;
}
API int cudaDeviceCanAccessPeer(int *can, int device, int peer) {
  CALLED(cudaDeviceCanAccessPeer);
  *can = 0;
  return refused(device) ? last_error : refused(peer);
}
API int cudaDeviceGetPCIBusId(char *text, int length, int device) {
  CALLED(cudaDeviceGetPCIBusId);
  if (refused(device)) return last_error;
  snprintf(text, (size_t)length, "0000:%02x:00.0", 16 + device);
  return OK;
}
API int cudaDriverGetVersion(int *version) { CALLED(cudaDriverGetVersion); *version = 13000; return OK; }
API int cudaRuntimeGetVersion(int *version) { CALLED(cudaRuntimeGetVersion); *version = 13000; return OK; }
API int cudaGetDriverEntryPointByVersion(const char *name, void **found, unsigned version,
                                         unsigned long flags, int *status) {
  CALLED(cudaGetDriverEntryPointByVersion);
  void *driver = dlopen("libcuda.so.1", RTLD_LAZY);
  *found = driver ? dlsym(driver, name) : NULL;
  if (status) *status = !*found;
  return OK;
}

#include "memory.h"
#include "streams.h"

/* Errors */
API int cudaPeekAtLastError(void) { return failed ? failed : last_error; }
API int cudaGetLastError(void) {
  int code = cudaPeekAtLastError();
  last_error = OK;
  return code;
}
#define TEXT(name)                                                                                \
  API const char *name(int code) {                                                                \
    static const char *(*real)(int);                                                              \
    void *library = real ? NULL : dlopen(REAL, RTLD_LAZY | RTLD_LOCAL);                           \
    if (library) real = (const char *(*)(int))dlsym(library, #name);                              \
    return real ? real(code) : "an error without its text: CUDA's runtime is not installed";      \
  }
TEXT(cudaGetErrorString)
TEXT(cudaGetErrorName)

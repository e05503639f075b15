/* NVRTC, which torch asks for a kernel while it runs: every source compiles, to a program of no use. */
#include <stdlib.h>
#include <string.h>

static const char *const program = "stand-in";

int nvrtcVersion(int *major, int *minor) { *major = 13; *minor = 0; return 0; }
int nvrtcGetNumSupportedArchs(int *count) { *count = 1; return 0; }
int nvrtcGetSupportedArchs(int *architectures) { *architectures = 90; return 0; }
int nvrtcCreateProgram(void **made) { *made = malloc(8); return 0; }
int nvrtcDestroyProgram(void **made) { free(*made); *made = NULL; return 0; }
int nvrtcAddNameExpression(void *made, const char *name) { return 0; }
int nvrtcCompileProgram(void *made, int count, const char *const *options) { return 0; }
int nvrtcGetLoweredName(void *made, const char *name, const char **lowered) { *lowered = name; return 0; }
int nvrtcGetProgramLogSize(void *made, size_t *size) { *size = 1; return 0; }
int nvrtcGetProgramLog(void *made, char *log) { *log = 0; return 0; }
int nvrtcGetPTXSize(void *made, size_t *size) { *size = strlen(program) + 1; return 0; }
int nvrtcGetPTX(void *made, char *text) { strcpy(text, program); return 0; }
int nvrtcGetCUBINSize(void *made, size_t *size) { return nvrtcGetPTXSize(made, size); }
int nvrtcGetCUBIN(void *made, char *text) { return nvrtcGetPTX(made, text); }
const char *nvrtcGetErrorString(int code) { return code ? "an error of the stand-in" : "NVRTC_SUCCESS"; }

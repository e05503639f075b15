/* What CUDA's other libraries must answer more than a 0 to; build.py adds all the rest. */
#include <stddef.h>
#include <string.h>

int ncclGetVersion(int *version) { *version = 22907; return 0; }
size_t cudnnGetVersion(void) { return 92000; }
size_t cublasLtGetVersion(void) { return 130000; }
int cublasLtMatmulAlgoGetHeuristic(void *handle, void *operation, void *a, void *b, void *c, void *d,
                                   void *preference, int wanted, void *results, int *found) {
  memset(results, 0, 80); /* one algorithm, which needs no workspace */
  *found = 1;
  return 0;
}

// Just enough of CUDA to run a one-dimensional kernel on the host, one thread after the other.
#pragma once
#include <algorithm>
#include <cmath>

#define __global__

struct dim3 {
  unsigned x;
  explicit dim3(unsigned size = 0) : x(size) {}
};

static dim3 gridDim, blockDim, blockIdx, threadIdx;

using std::exp;  // CUDA's exp is overloaded: float stays float
using std::max;
using std::min;

// Stands for kernel<<<blocks, threads>>>(...).
template <typename Kernel>
void launch(dim3 blocks, dim3 threads, Kernel kernel) {
  gridDim = blocks;
  blockDim = threads;
  for (blockIdx.x = 0; blockIdx.x < blocks.x; ++blockIdx.x)
    for (threadIdx.x = 0; threadIdx.x < threads.x; ++threadIdx.x) kernel();
}

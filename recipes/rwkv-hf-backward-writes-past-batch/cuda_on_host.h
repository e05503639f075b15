// Just enough of CUDA to run a one-dimensional kernel on the host, one thread after the other.
#pragma once
#include <algorithm>
#include <cmath>

#include <c10/util/BFloat16.h>

#define __global__
namespace at { using c10::BFloat16; }
using bf16 = at::BFloat16;
using std::exp, std::max, std::min;  // CUDA's exp is overloaded: float stays float

struct dim3 {
  unsigned x;
  explicit dim3(unsigned size = 0) : x(size) {}
};
static dim3 gridDim, blockDim, blockIdx, threadIdx;

// Stands for kernel<<<blocks, threads>>>(...).
template <typename Kernel>
void launch(dim3 blocks, dim3 threads, Kernel kernel) {
  gridDim = blocks;
  blockDim = threads;
  for (blockIdx.x = 0; blockIdx.x < blocks.x; ++blockIdx.x)
    for (threadIdx.x = 0; threadIdx.x < threads.x; ++threadIdx.x) kernel();
}

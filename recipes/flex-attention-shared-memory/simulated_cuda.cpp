// A CUDA device that exists in name only, for a PyTorch built without CUDA.
//
// Tracing needs no more than a device that can be named, entered and left: memory is never allocated
// and no kernel is launched. PyTorch brings such a device guard for its own tests; this file registers
// it for CUDA, with the hooks that autograd asks whether an accelerator is there.
// The registry looks the hooks up by name: the class has to be called CUDAHooks.
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/impl/FakeGuardImpl.h>

namespace at {

struct CUDAHooks final : CUDAHooksInterface {
  explicit CUDAHooks(CUDAHooksArgs) {}
  void init() const override {}
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  bool hasCUDA() const override { return true; }
  bool hasPrimaryContext(DeviceIndex) const override { return false; }
  DeviceIndex deviceCount() const override { return 1; }
  DeviceIndex getCurrentDevice() const override { return 0; }
};

REGISTER_CUDA_HOOKS(CUDAHooks)

}  // namespace at

namespace c10::impl {

C10_REGISTER_GUARD_IMPL(CUDA, FakeGuardImpl<DeviceType::CUDA>)

}  // namespace c10::impl

// The backward pass of RWKV-4 attention for the host, indexed like the CUDA kernel: one thread
// per (sample, channel), and each thread stores its own share of both parameter gradients.
#include <cmath>
#include <vector>

namespace {

struct Shape {
  int samples, tokens, channels;
};

// The recurrence before token t: numerator and denominator of the weighted mean of all earlier
// values, and their derivatives with respect to the decay w.
struct State {
  float num = 0, den = 0, num_w = 0, den_w = 0;
};

void wkv_backward_thread(Shape shape, int sample, int channel, const float* w, const float* u,
                         const float* k, const float* v, const float* gy, float* gw, float* gu,
                         float* gk, float* gv) {
  const int first = sample * shape.tokens * shape.channels + channel;
  const float keep = std::exp(w[channel]);
  std::vector<State> before(shape.tokens);
  State state;
  float sum_w = 0, sum_u = 0;

  for (int t = 0; t < shape.tokens; ++t) {
    const int at = first + t * shape.channels;
    before[t] = state;
    const float bonus = std::exp(u[channel] + k[at]), weight = std::exp(k[at]);
    const float den = state.den + bonus, y = (state.num + bonus * v[at]) / den;
    sum_w += gy[at] * (state.num_w - y * state.den_w) / den;
    sum_u += gy[at] * bonus * (v[at] - y) / den;
    state = {keep * state.num + weight * v[at], keep * state.den + weight,
             keep * (state.num + state.num_w), keep * (state.den + state.den_w)};
  }

  // As many results as there are samples times channels: the buffers must have a row per sample.
  const int row_of_sample = sample * shape.channels + channel;
  gw[row_of_sample] = sum_w * w[channel];  // w is -exp(time_decay), and that is its derivative
  gu[row_of_sample] = sum_u;

  float g_num = 0, g_den = 0;  // gradients of the state after token t
  for (int t = shape.tokens - 1; t >= 0; --t) {
    const int at = first + t * shape.channels;
    const float bonus = std::exp(u[channel] + k[at]), weight = std::exp(k[at]);
    const float den = before[t].den + bonus, y = (before[t].num + bonus * v[at]) / den;
    const float q = gy[at] / den;
    gk[at] = bonus * (v[at] - y) * q + weight * (v[at] * g_num + g_den);
    gv[at] = bonus * q + weight * g_num;
    g_num = keep * g_num + q;
    g_den = keep * g_den - y * q;
  }
}

}  // namespace

extern "C" void wkv_backward(int samples, int tokens, int channels, float* w, float* u, float* k,
                             float* v, float* /* y */, float* gy, float* gw, float* gu, float* gk,
                             float* gv) {
  const Shape shape{samples, tokens, channels};
  for (int sample = 0; sample < samples; ++sample)
    for (int channel = 0; channel < channels; ++channel)
      wkv_backward_thread(shape, sample, channel, w, u, k, v, gy, gw, gu, gk, gv);
}

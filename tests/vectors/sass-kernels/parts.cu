// Parts of registers, tests of the condition code, and floats as truth values.
extern "C" __global__ void dots(int *out, const int *x, const int *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int a = x[i], b = y[i];
  int sum = __dp4a(a, b, a);
  sum = (int)__dp4a((unsigned)a, (unsigned)b, (unsigned)sum);
  sum = __dp2a_lo(a, b, sum);
  out[i] = (int)__dp2a_hi((unsigned)a, (unsigned)b, (unsigned)sum);
}

extern "C" __global__ void bytes(unsigned *out, const unsigned *x, const unsigned *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = x[i], b = y[i];
  out[i] = (__vabsdiffu4(a, b) ^ __vadd2(a, b)) + __vsadu4(a, b) * 3u + (__vmaxs2(a, b) ^ __vminu2(a, b));
}

extern "C" __global__ void saturated(unsigned *out, const unsigned *x, const unsigned *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __vaddss2(x[i], y[i]);
}

extern "C" __global__ void wide(long long *out, const long long *x, const long long *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  long long a = x[i], b = y[i];
  long long r = a > b ? a : b;
  r /= (b & 0xffff) | 1;
  r %= 1000003;
  out[i] = r < 0 ? -r : r + __mul64hi(a, b);
}

extern "C" __global__ void truths(float *out, const float *x, const float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = x[i], b = y[i];
  out[i] = (isnan(a) ? 1.0f : 0.0f) + (a < b ? 2.0f : 0.0f) + (a >= b ? 4.0f : 0.0f) + (a != b ? 8.0f : 0.0f);
}

extern "C" __global__ void folded(double *out, const double *x, const double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __fma_rn(x[i], -2.0, y[i]);
}

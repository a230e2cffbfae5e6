typedef unsigned u32; typedef unsigned long long u64;
__device__ u32 counter = 5;
__device__ __noinline__ u32 twice(u32 v) { return v * 2 + counter; }
__device__ __noinline__ u32 power(u32 a, u32 n) { return n ? a * power(a, n - 1) : 1; }
__device__ __noinline__ u32 fa(u32 a, u32 b) { return a * 3 + b; }
__device__ __noinline__ u32 fb(u32 a, u32 b) { return twice(a) ^ (b << 3); }
typedef u32 (*function)(u32, u32);
__device__ __noinline__ u32 chosen(u32 r) { switch (r % 7) { case 0: return 11; case 1: return 22; case 2: return 33; case 3: return 44; case 4: return 55; case 5: return 66; default: return 99; } }
extern "C" __global__ void debugged(u32 *o, u32 *x, u32 n) {
  __shared__ u32 s[64];
  u32 t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = power(x[i], t & 7);
  __syncthreads();
  function f = x[i] & 1 ? fa : fb;
  u32 r = f(s[63 - t], n);
  o[i] = twice(r) / (n | 1) + chosen(r);
  atomicAdd(&o[128 + (i & 3)], r);
}
__device__ __noinline__ u64 quotient(u64 a, u64 b) { return a / (b | 1) + a % (b + 7 | 1); }
extern "C" __global__ void divided(u64 *o, const u64 *x) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  o[i] = quotient(x[i], x[i + 1]);
}

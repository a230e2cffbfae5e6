typedef unsigned u32; typedef unsigned long long u64;
__device__ __noinline__ u32 fa(u32 a, u32 b) { return a * 3 + b; }
__device__ __noinline__ u32 fb(u32 a, u32 b) { return a ^ (b << 3); }
__device__ __noinline__ u32 fc(u32 a, u32 b) { return a / (b | 1); }
typedef u32 (*function)(u32, u32);
__device__ function table[3] = {fc, fb, fa};
extern "C" __global__ void pointers(u32 *o, const u32 *x) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i];
  function f[3] = {fa, fb, fc};
  u32 r = i;
  for (u32 k = 0; k < (v >> 8 & 3) + 1; k++) r = f[(v + k) % 3](r, v);
  o[i] = table[v >> 4 & 1](r, i) ;
}
struct Shape { __device__ virtual u32 area(u32 v) const = 0; };
struct Square : Shape { u32 a; __device__ Square(u32 n) : a(n) {} __device__ u32 area(u32 v) const override { return a * a + v; } };
struct Box : Shape { u32 a, b; __device__ Box(u32 n, u32 m) : a(n), b(m) {} __device__ u32 area(u32 v) const override { return a * b - v; } };
extern "C" __global__ void methods(u32 *o, const u32 *x) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i];
  Square s(v & 15); Box b(v & 7, i);
  const Shape *p = v & 32 ? (const Shape *)&s : &b;
  o[i] = p->area(i) + (v & 64 ? (const Shape *)&b : (const Shape *)&s)->area(v);
}

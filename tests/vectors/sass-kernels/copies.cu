typedef unsigned u32; typedef unsigned long long u64;
__device__ u32 shared_address(const void *p) { return (u32)__cvta_generic_to_shared(p); }
#define COPY(bytes, to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], " #bytes ";" :: "r"(shared_address(to)), "l"(from) : "memory")
#define COMMIT asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT(n) asm volatile("cp.async.wait_group " #n ";" ::: "memory")

/* Each size; the sum of what others have copied. */
extern "C" __global__ void sizes(u32 *o, const u32 *x, u32 n) {
  __shared__ u32 four[64]; __shared__ u64 eight[64]; __shared__ uint4 sixteen[64]; __shared__ uint4 bypassed[64];
  u32 t = threadIdx.x, i = blockIdx.x * 64 + t;
  COPY(4, &four[t], x + i);
  COPY(8, &eight[t], x + 2 * i);
  COPY(16, &sixteen[t], x + 4 * i);
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" :: "r"(shared_address(&bypassed[t])), "l"(x + 4 * i) : "memory");
  COMMIT;
  WAIT(0);
  __syncthreads();
  u32 r = 63 - t;
  uint4 s = sixteen[r], b = bypassed[r];
  o[2 * i] = four[r] + (u32)eight[r] * 3 + (u32)(eight[r] >> 32) * 5 + s.x * 7 + s.y * 11 + s.z * 13 + s.w * 17;
  o[2 * i + 1] = b.x ^ b.y * 3 ^ b.z * 5 ^ b.w * 7;
}

/* Fewer source bytes than are written: the rest is 0. Copies of some lanes. */
extern "C" __global__ void filled(u32 *o, const u32 *x, u32 n) {
  __shared__ uint4 s[64], w[64]; __shared__ u32 f[64];
  u32 t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = w[t] = make_uint4(1, 2, 3, 4); f[t] = 9;
  __syncthreads();
  u32 bytes = x[i] % 17;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" :: "r"(shared_address(&s[t])), "l"(x + 4 * i), "r"(bytes) : "memory");
  if (i < n) asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" :: "r"(shared_address(&f[t])), "l"(x + i), "r"(t & 1 ? 4 : 0) : "memory");
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %2, 0; cp.async.cg.shared.global [%0], [%1], 16, p; }" :: "r"(shared_address(&w[t])), "l"(x + 4 * i), "r"(x[i] & 0x100) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  uint4 v = s[63 - t], y = w[63 - t];
  o[i] = v.x + v.y * 3 + v.z * 5 + v.w * 7 + f[63 - t] + (y.x ^ y.y) + (y.z ^ y.w) * 11;
}

/* Product of matrices: tiles are copied while others are multiplied. */
extern "C" __global__ void product(float *c, const float *a, const float *b, u32 n) {
  __shared__ float as[2][16][16], bs[2][16][16];
  u32 tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0;
  COPY(4, &as[0][ty][tx], a + row * n + tx);
  COPY(4, &bs[0][ty][tx], b + ty * n + col);
  COMMIT;
  for (u32 k = 0; k < n / 16; k++) {
    if (k + 1 < n / 16) {
      COPY(4, &as[k + 1 & 1][ty][tx], a + row * n + (k + 1) * 16 + tx);
      COPY(4, &bs[k + 1 & 1][ty][tx], b + ((k + 1) * 16 + ty) * n + col);
      COMMIT;
      WAIT(1);
    } else WAIT(0);
    __syncthreads();
    for (u32 j = 0; j < 16; j++) sum += as[k & 1][ty][j] * bs[k & 1][j][tx];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

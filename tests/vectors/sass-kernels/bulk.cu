// Copies of many bytes between global and shared memory. On the host, a copy is complete at once.
typedef unsigned u32; typedef unsigned long long u64;
#ifdef HOST
struct Object { u32 pending, expected; int bytes; u32 phase; };
static void settle(Object *b) { if (b->pending == 0 && b->bytes == 0) { b->phase ^= 1; b->pending = b->expected; } }
static void init(Object *b, u32 count) { *b = Object{count, count, 0, 0}; }
static void arrive(Object *b) { b->pending--; settle(b); }
static void expect(Object *b, u32 bytes) { b->bytes += bytes; settle(b); }
static void arrive_expecting(Object *b, u32 bytes) { b->bytes += bytes; arrive(b); }
static void wait(Object *b, u32 parity) { while (b->phase == parity) yield_(); }
static void load(void *to, const void *from, u32 bytes, Object *b) { memcpy(to, from, bytes); b->bytes -= bytes; settle(b); }
static void load_hinted(void *to, const void *from, u32 bytes, Object *b) { load(to, from, bytes, b); }
static void store(void *to, const void *from, u32 bytes) { memcpy(to, from, bytes); }
static void store_masked(void *to, const void *from, u32 bytes, u32 mask) { for (u32 i = 0; i < bytes; i++) if (mask >> i % 16 & 1) ((u8 *)to)[i] = ((u8 *)from)[i]; }
static void commit() {}
static void wait_read() {}
static void wait_all() {}
static void wait_but_one() {}
static void prefetch(const void *, u32) {}
static void fence() {}
#else
typedef u64 Object;
__device__ u32 at(const void *p) { return (u32)__cvta_generic_to_shared(p); }
__device__ void init(Object *b, u32 count) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(at(b)), "r"(count) : "memory"); }
__device__ void arrive(Object *b) { asm volatile("mbarrier.arrive.shared.b64 _, [%0];" :: "r"(at(b)) : "memory"); }
__device__ void expect(Object *b, u32 bytes) { asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" :: "r"(at(b)), "r"(bytes) : "memory"); }
__device__ void arrive_expecting(Object *b, u32 bytes) { asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" :: "r"(at(b)), "r"(bytes) : "memory"); }
__device__ void wait(Object *b, u32 parity) { u32 r; do asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(at(b)), "r"(parity) : "memory"); while (!r); }
__device__ void load(void *to, const void *from, u32 bytes, Object *b) { asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" :: "r"(at(to)), "l"(from), "r"(bytes), "r"(at(b)) : "memory"); }
__device__ void load_hinted(void *to, const void *from, u32 bytes, Object *b) {
  u64 policy;
  asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], %4;" :: "r"(at(to)), "l"(from), "r"(bytes), "r"(at(b)), "l"(policy) : "memory");
}
__device__ void store(void *to, const void *from, u32 bytes) { asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" :: "l"(to), "r"(at(from)), "r"(bytes) : "memory"); }
#if __CUDA_ARCH__ >= 1000
__device__ void store_masked(void *to, const void *from, u32 bytes, u32 mask) { asm volatile("cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%0], [%1], %2, %3;" :: "l"(to), "r"(at(from)), "r"(bytes), "h"((unsigned short)mask) : "memory"); }
#endif
__device__ void commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
__device__ void wait_read() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }
__device__ void wait_all() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }
__device__ void wait_but_one() { asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory"); }
__device__ void prefetch(const void *p, u32 bytes) { asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" :: "l"(p), "r"(bytes) : "memory"); }
__device__ void fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
#endif

/* A tile is copied to shared memory, changed, and copied back. */
extern "C" __global__ void tiles(u32 *o, const u32 *x, u32 n) {
  __shared__ __align__(128) u32 s[2][256]; __shared__ Object full;
  u32 t = threadIdx.x;
  if (t == 0) init(&full, 1);
  fence();
  __syncthreads();
  for (u32 k = 0; k < n; k++) {
    u32 *tile = s[k & 1]; const u32 *from = x + (blockIdx.x * n + k) * 256;
    if (t == 0) {
      if (k + 1 < n) prefetch(from + 256, 1024);
      wait_but_one();
      arrive_expecting(&full, 1024);
      load(tile, from, 512, &full);
      load(tile + 128, from + 128, 512, &full);
    }
    wait(&full, k & 1);
    for (u32 i = t; i < 256; i += blockDim.x) tile[i] = tile[i] * 3 + i + k;
    fence();
    __syncthreads();
    if (t == 0) {
      store(o + (blockIdx.x * n + k) * 256, tile, 1024);
      commit();
    }
  }
  if (t == 0) wait_all();
}

/* One warp copies tiles ahead of those that read them; each lane of it copies a part. */
extern "C" __global__ void ring(u32 *o, const u32 *x, u32 n) {
  __shared__ __align__(16) u32 s[3][128]; __shared__ Object full[3], empty[3];
  u32 t = threadIdx.x, readers = blockDim.x - 32;
  if (t == 0) for (u32 i = 0; i < 3; i++) { init(&full[i], 33); init(&empty[i], readers); }
  fence();
  __syncthreads();
  if (t < 32) {
    for (u32 k = 0; k < n; k++) {
      u32 i = k % 3, round = k / 3;
      if (round > 0) wait(&empty[i], round - 1 & 1);
      if (t == 0) { expect(&full[i], 256); arrive_expecting(&full[i], 256); }
      if (t < 4) load_hinted(&s[i][32 * t], x + k * 128 + 32 * t, 128, &full[i]);
      arrive(&full[i]);
    }
  } else {
    u32 sum = 0;
    for (u32 k = 0; k < n; k++) {
      wait(&full[k % 3], k / 3 & 1);
      sum = sum * 7 + s[k % 3][(t * 3 + k) % 128];
      arrive(&empty[k % 3]);
    }
    o[t - 32] = sum;
  }
}

#if defined(HOST) || __CUDA_ARCH__ >= 1000
/* Only some bytes of each 16 are copied. */
extern "C" __global__ void masked(u32 *o, const u32 *x, u32 mask) {
  __shared__ __align__(16) u32 s[64];
  u32 t = threadIdx.x;
  s[t] = x[t];
  fence();
  __syncthreads();
  if (t == 0) {
    store_masked(o, s, 128, mask);
    store_masked(o + 32, s + 32, 128, 0xff00);
    commit();
    wait_read();
  }
}
#endif

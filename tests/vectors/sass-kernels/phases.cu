// Barrier objects in shared memory. On the host, the functions of `mbarrier` are those of this
// file, and a thread that waits lets the others run.
typedef unsigned u32; typedef unsigned long long u64;
#ifdef HOST
struct Object { u32 pending, expected; int bytes; u32 phase; };
struct Token { u32 phase, pending; };
static void settle(Object *b) { if (b->pending == 0 && b->bytes == 0) { b->phase ^= 1; b->pending = b->expected; } }
static void init(Object *b, u32 count) { *b = Object{count, count, 0, 0}; }
static Token arrive(Object *b) { Token t{b->phase, b->pending}; b->pending--; settle(b); return t; }
static void arrive_some(Object *b, u32 count) { b->pending -= count; settle(b); }
static Token arrive_drop(Object *b) { b->expected--; return arrive(b); }
static u32 pending_count(Token t) { return t.pending; }
static bool test(Object *b, Token t) { return b->phase != t.phase; }
static bool test_parity(Object *b, u32 parity) { return b->phase != parity; }
static void wait(Object *b, Token t) { while (!test(b, t)) yield_(); }
static void wait_parity(Object *b, u32 parity) { while (!test_parity(b, parity)) yield_(); }
static void poll(Object *b, Token t) { wait(b, t); }
static void invalidate(Object *) {}
static void copy(u32 *to, const u32 *from) { *to = *from; }
static void arrive_copied(Object *b) { arrive(b); }
static void arrive_copied_for_one(Object *) {}
static void ready() {}
#else
typedef u64 Object; typedef u64 Token;
__device__ u32 at(const void *p) { return (u32)__cvta_generic_to_shared(p); }
__device__ void init(Object *b, u32 count) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(at(b)), "r"(count) : "memory"); }
__device__ void invalidate(Object *b) { asm volatile("mbarrier.inval.shared.b64 [%0];" :: "r"(at(b)) : "memory"); }
__device__ void copy(u32 *to, const u32 *from) { asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(at(to)), "l"(from) : "memory"); }
__device__ void arrive_copied(Object *b) { asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" :: "r"(at(b)) : "memory"); }
__device__ void arrive_copied_for_one(Object *b) { asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" :: "r"(at(b)) : "memory"); }
__device__ Token arrive(Object *b) { Token t; asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(t) : "r"(at(b)) : "memory"); return t; }
__device__ void arrive_some(Object *b, u32 count) { Token t; asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], %2;" : "=l"(t) : "r"(at(b)), "r"(count) : "memory"); }
__device__ Token arrive_drop(Object *b) { Token t; asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(t) : "r"(at(b)) : "memory"); return t; }
__device__ u32 pending_count(Token t) { u32 n; asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(n) : "l"(t)); return n; }
__device__ bool test(Object *b, Token t) { u32 r; asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(at(b)), "l"(t) : "memory"); return r; }
__device__ bool test_parity(Object *b, u32 parity) { u32 r; asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(at(b)), "r"(parity) : "memory"); return r; }
#if __CUDA_ARCH__ >= 900
__device__ void wait(Object *b, Token t) { u32 r; do asm volatile("{ .reg .pred p; mbarrier.try_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(at(b)), "l"(t) : "memory"); while (!r); }
__device__ void wait_parity(Object *b, u32 parity) { u32 r; do asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2, 1000; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(at(b)), "r"(parity) : "memory"); while (!r); }
__device__ void ready() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
#else
__device__ void wait(Object *b, Token t) { while (!test(b, t)); }
__device__ void wait_parity(Object *b, u32 parity) { while (!test_parity(b, parity)); }
__device__ void ready() {}
#endif
__device__ void poll(Object *b, Token t) { while (!test(b, t)); }
#endif

/* Each phase, a thread reads what another has written. */
extern "C" __global__ void turns(u32 *o, const u32 *x, u32 n) {
  __shared__ Object b; __shared__ u32 s[2][160];
  u32 t = threadIdx.x, size = blockDim.x, sum = 0;
  if (t == 0) init(&b, size);
  ready();
  __syncthreads();
  for (u32 k = 0; k < n; k++) {
    s[k & 1][t] = x[blockIdx.x * size + t] + k * t;
    Token token = arrive(&b);
    if (k % 3 == 0) poll(&b, token); else wait(&b, token);
    sum = sum * 5 + s[k & 1][(t * 7 + k) % size];
  }
  o[blockIdx.x * size + t] = sum;
  __syncthreads();
  if (t == 0) invalidate(&b);
}

/* The first warp fills two buffers in turn, which the other warps empty. */
extern "C" __global__ void stages(u32 *o, const u32 *x, u32 n) {
  __shared__ Object full[2], empty[2]; __shared__ u32 s[2][32];
  u32 t = threadIdx.x, readers = blockDim.x - 32;
  if (t == 0) for (u32 i = 0; i < 2; i++) { init(&full[i], 32); init(&empty[i], readers); }
  ready();
  __syncthreads();
  if (t < 32) {
    for (u32 k = 0; k < n; k++) {
      if (k >= 2) wait_parity(&empty[k & 1], k / 2 - 1 & 1);
      s[k & 1][t] = x[k * 32 + t];
      arrive(&full[k & 1]);
    }
  } else {
    u32 sum = t;
    for (u32 k = 0; k < n; k++) {
      wait_parity(&full[k & 1], k / 2 & 1);
      sum = sum * 3 ^ s[k & 1][(t + k) % 32];
      arrive(&empty[k & 1]);
    }
    o[blockIdx.x * readers + t - 32] = sum;
  }
}

/* Threads leave the barrier one after the other, others arrive for two. */
extern "C" __global__ void dropping(u32 *o) {
  __shared__ Object b; __shared__ u32 count;
  u32 t = threadIdx.x, passed = 0;
  if (t == 0) { init(&b, blockDim.x + 8); count = 0; }
  ready();
  __syncthreads();
  if (t == 0) arrive_some(&b, 8);
  __syncthreads();
  for (u32 k = 0; k < 8; k++) {
    if (k > 0 && t == 63) { arrive_some(&b, 7); arrive_some(&b, 1); }
    bool leaves = t % 8 == k;
    Token token = leaves ? arrive_drop(&b) : arrive(&b);
    if (k == 0) atomicAdd(&count, pending_count(token));
    if (leaves) break;
    wait(&b, token);
    passed += test(&b, token) + test_parity(&b, k & 1) * 16 + test_parity(&b, ~k & 1) * 256;
  }
  __syncthreads();
  o[t] = passed + count * 4096;
}

/* Asynchronous copies arrive, for their threads or in addition to them. */
extern "C" __global__ void copied(u32 *o, const u32 *x, u32 n) {
  __shared__ Object b, c; __shared__ u32 s[64], r[64];
  u32 t = threadIdx.x, sum = 0;
  if (t == 0) { init(&b, 64); init(&c, 64); }
  ready();
  __syncthreads();
  for (u32 k = 0; k < n; k++) {
    copy(&s[t], x + 64 * k + t);
    arrive_copied(&b);
    copy(&r[t], x + 64 * k + (t ^ 3));
    arrive_copied_for_one(&c);
    Token token = arrive(&c);
    wait_parity(&b, k & 1);
    sum = sum * 3 + s[63 - t];
    wait(&c, token);
    sum ^= r[(t + k) % 64];
    __syncthreads();
  }
  o[t] = sum;
}

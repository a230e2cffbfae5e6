// Matrix products of a warp: all shapes, and whole products of matrices in shared memory.

static __device__ unsigned t(const unsigned *x, int i, int k)
{
    return x[4 * i + k];
}

static __device__ void put(unsigned *out, int i, int width, int first, const unsigned *d, int n)
{
    for (int k = 0; k < n; k++)
        out[width * i + first + k] = d[k];
}

#if __CUDA_ARCH__ >= 750
extern "C" __global__ void small_integers(unsigned *out, const unsigned *x, const unsigned *y, const unsigned *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned d[4];
    asm("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%4, %5};"
        : "=r"(d[0]), "=r"(d[1]) : "r"(t(x, i, 0)), "r"(t(y, i, 0)), "r"(t(z, i, 0)), "r"(t(z, i, 1)));
    put(out, i, 8, 0, d, 2);
    asm("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.u8.s8.s32 {%0, %1}, {%2}, {%3}, {%4, %5};"
        : "=r"(d[0]), "=r"(d[1]) : "r"(t(x, i, 0)), "r"(t(y, i, 0)), "r"(t(z, i, 0)), "r"(t(z, i, 1)));
    put(out, i, 8, 2, d, 2);
    asm("mma.sync.aligned.m8n8k32.row.col.s32.s4.u4.s32 {%0, %1}, {%2}, {%3}, {%4, %5};"
        : "=r"(d[0]), "=r"(d[1]) : "r"(t(x, i, 0)), "r"(t(y, i, 0)), "r"(t(z, i, 0)), "r"(t(z, i, 1)));
    put(out, i, 8, 4, d, 2);
    asm("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%0, %1}, {%2}, {%3}, {%4, %5};"
        : "=r"(d[0]), "=r"(d[1]) : "r"(t(x, i, 0)), "r"(t(y, i, 0)), "r"(t(z, i, 0)), "r"(t(z, i, 1)));
    put(out, i, 8, 6, d, 2);
}
#endif

#if __CUDA_ARCH__ >= 800
extern "C" __global__ void large_integers(unsigned *out, const unsigned *x, const unsigned *y, const unsigned *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned d[4];
    asm("mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(t(x, i, 0)), "r"(t(x, i, 1)), "r"(t(y, i, 0)), "r"(t(z, i, 0)), "r"(t(z, i, 1)), "r"(t(z, i, 2)), "r"(t(z, i, 3)));
    put(out, i, 30, 0, d, 4);
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(t(x, i, 0)), "r"(t(x, i, 1)), "r"(t(x, i, 2)), "r"(t(x, i, 3)), "r"(t(y, i, 0)), "r"(t(y, i, 1)), "r"(t(z, i, 0)), "r"(t(z, i, 1)), "r"(t(z, i, 2)), "r"(t(z, i, 3)));
    put(out, i, 30, 4, d, 4);
    asm("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(t(x, i, 0)), "r"(t(x, i, 1)), "r"(t(x, i, 2)), "r"(t(x, i, 3)), "r"(t(y, i, 0)), "r"(t(y, i, 1)), "r"(t(z, i, 0)), "r"(t(z, i, 1)), "r"(t(z, i, 2)), "r"(t(z, i, 3)));
    put(out, i, 30, 8, d, 4);
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u4.s4.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(t(x, i, 0)), "r"(t(x, i, 1)), "r"(t(y, i, 0)), "r"(t(z, i, 0)), "r"(t(z, i, 1)), "r"(t(z, i, 2)), "r"(t(z, i, 3)));
    put(out, i, 30, 12, d, 4);
    asm("mma.sync.aligned.m16n8k64.row.col.satfinite.s32.s4.s4.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(t(x, i, 0)), "r"(t(x, i, 1)), "r"(t(x, i, 2)), "r"(t(x, i, 3)), "r"(t(y, i, 0)), "r"(t(y, i, 1)), "r"(t(z, i, 0)), "r"(t(z, i, 1)), "r"(t(z, i, 2)), "r"(t(z, i, 3)));
    put(out, i, 30, 16, d, 4);
    asm("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {%0, %1}, {%2}, {%3}, {%4, %5};"
        : "=r"(d[0]), "=r"(d[1]) : "r"(t(x, i, 0)), "r"(t(y, i, 0)), "r"(t(z, i, 0)), "r"(t(z, i, 1)));
    put(out, i, 30, 20, d, 2);
    asm("mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.xor.popc {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(t(x, i, 0)), "r"(t(x, i, 1)), "r"(t(y, i, 0)), "r"(t(z, i, 0)), "r"(t(z, i, 1)), "r"(t(z, i, 2)), "r"(t(z, i, 3)));
    put(out, i, 30, 22, d, 4);
    asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(t(x, i, 0)), "r"(t(x, i, 1)), "r"(t(x, i, 2)), "r"(t(x, i, 3)), "r"(t(y, i, 0)), "r"(t(y, i, 1)), "r"(t(z, i, 0)), "r"(t(z, i, 1)), "r"(t(z, i, 2)), "r"(t(z, i, 3)));
    put(out, i, 30, 26, d, 4);
}
#endif

#if __CUDA_ARCH__ >= 750
extern "C" __global__ void short_floats(unsigned *out, const unsigned *x, const unsigned *y, const unsigned *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned d[4];
    float f[4];
    asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
        : "=f"(f[0]), "=f"(f[1]), "=f"(f[2]), "=f"(f[3]) : "r"(t(x, i, 0)), "r"(t(x, i, 1)), "r"(t(y, i, 0)), "f"(__int_as_float(t(z, i, 0))), "f"(__int_as_float(t(z, i, 1))), "f"(__int_as_float(t(z, i, 2))), "f"(__int_as_float(t(z, i, 3))));
    for (int k = 0; k < 4; k++)
        d[k] = __float_as_int(f[k]);
    put(out, i, 6, 0, d, 4);
    asm("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%5, %6};"
        : "=r"(d[0]), "=r"(d[1]) : "r"(t(x, i, 0)), "r"(t(x, i, 1)), "r"(t(y, i, 0)), "r"(t(z, i, 0)), "r"(t(z, i, 1)));
    put(out, i, 6, 4, d, 2);
}
#endif

#if __CUDA_ARCH__ >= 800
extern "C" __global__ void long_floats(unsigned *out, const unsigned *x, const unsigned *y, const unsigned *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned d[4];
    float f[4];
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
        : "=f"(f[0]), "=f"(f[1]), "=f"(f[2]), "=f"(f[3]) : "r"(t(x, i, 0)), "r"(t(x, i, 1)), "r"(t(x, i, 2)), "r"(t(x, i, 3)), "r"(t(y, i, 0)), "r"(t(y, i, 1)), "f"(__int_as_float(t(z, i, 0))), "f"(__int_as_float(t(z, i, 1))), "f"(__int_as_float(t(z, i, 2))), "f"(__int_as_float(t(z, i, 3))));
    for (int k = 0; k < 4; k++)
        d[k] = __float_as_int(f[k]);
    put(out, i, 22, 0, d, 4);
    asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};"
        : "=r"(d[0]), "=r"(d[1]) : "r"(t(x, i, 0)), "r"(t(x, i, 1)), "r"(t(x, i, 2)), "r"(t(x, i, 3)), "r"(t(y, i, 0)), "r"(t(y, i, 1)), "r"(t(z, i, 0)), "r"(t(z, i, 1)));
    put(out, i, 22, 4, d, 2);
    asm("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
        : "=f"(f[0]), "=f"(f[1]), "=f"(f[2]), "=f"(f[3]) : "r"(t(x, i, 0)), "r"(t(x, i, 1)), "r"(t(y, i, 0)), "f"(__int_as_float(t(z, i, 0))), "f"(__int_as_float(t(z, i, 1))), "f"(__int_as_float(t(z, i, 2))), "f"(__int_as_float(t(z, i, 3))));
    for (int k = 0; k < 4; k++)
        d[k] = __float_as_int(f[k]);
    put(out, i, 22, 6, d, 4);
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
        : "=f"(f[0]), "=f"(f[1]), "=f"(f[2]), "=f"(f[3]) : "r"(t(x, i, 0)), "r"(t(x, i, 1)), "r"(t(x, i, 2)), "r"(t(x, i, 3)), "r"(t(y, i, 0)), "r"(t(y, i, 1)), "f"(__int_as_float(t(z, i, 0))), "f"(__int_as_float(t(z, i, 1))), "f"(__int_as_float(t(z, i, 2))), "f"(__int_as_float(t(z, i, 3))));
    for (int k = 0; k < 4; k++)
        d[k] = __float_as_int(f[k]);
    put(out, i, 22, 10, d, 4);
    asm("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
        : "=f"(f[0]), "=f"(f[1]), "=f"(f[2]), "=f"(f[3]) : "r"(t(x, i, 0)), "r"(t(x, i, 1)), "r"(t(y, i, 0)), "f"(__int_as_float(t(z, i, 0))), "f"(__int_as_float(t(z, i, 1))), "f"(__int_as_float(t(z, i, 2))), "f"(__int_as_float(t(z, i, 3))));
    for (int k = 0; k < 4; k++)
        d[k] = __float_as_int(f[k]);
    put(out, i, 22, 14, d, 4);
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
        : "=f"(f[0]), "=f"(f[1]), "=f"(f[2]), "=f"(f[3]) : "r"(t(x, i, 0)), "r"(t(x, i, 1)), "r"(t(x, i, 2)), "r"(t(x, i, 3)), "r"(t(y, i, 0)), "r"(t(y, i, 1)), "f"(__int_as_float(t(z, i, 0))), "f"(__int_as_float(t(z, i, 1))), "f"(__int_as_float(t(z, i, 2))), "f"(__int_as_float(t(z, i, 3))));
    for (int k = 0; k < 4; k++)
        d[k] = __float_as_int(f[k]);
    put(out, i, 22, 18, d, 4);
}
#endif

#if __CUDA_ARCH__ >= 800
extern "C" __global__ void matrix_doubles(double *out, const double *x, const double *y, const double *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double d[4];
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
        : "=d"(d[0]), "=d"(d[1]) : "d"(x[8 * i]), "d"(y[4 * i]), "d"(z[4 * i]), "d"(z[4 * i + 1]));
    out[14 * i] = d[0];
    out[14 * i + 1] = d[1];
#if __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
        : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3]) : "d"(x[8 * i]), "d"(x[8 * i + 1]), "d"(y[4 * i]), "d"(z[4 * i]),
          "d"(z[4 * i + 1]), "d"(z[4 * i + 2]), "d"(z[4 * i + 3]));
    for (int k = 0; k < 4; k++)
        out[14 * i + 2 + k] = d[k];
    asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
        : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3]) : "d"(x[8 * i]), "d"(x[8 * i + 1]), "d"(x[8 * i + 2]), "d"(x[8 * i + 3]),
          "d"(y[4 * i]), "d"(y[4 * i + 1]), "d"(z[4 * i]), "d"(z[4 * i + 1]), "d"(z[4 * i + 2]), "d"(z[4 * i + 3]));
    for (int k = 0; k < 4; k++)
        out[14 * i + 6 + k] = d[k];
    asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, "
        "{%16, %17, %18, %19};"
        : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3]) : "d"(x[8 * i]), "d"(x[8 * i + 1]), "d"(x[8 * i + 2]), "d"(x[8 * i + 3]),
          "d"(x[8 * i + 4]), "d"(x[8 * i + 5]), "d"(x[8 * i + 6]), "d"(x[8 * i + 7]), "d"(y[4 * i]), "d"(y[4 * i + 1]),
          "d"(y[4 * i + 2]), "d"(y[4 * i + 3]), "d"(z[4 * i]), "d"(z[4 * i + 1]), "d"(z[4 * i + 2]), "d"(z[4 * i + 3]));
    for (int k = 0; k < 4; k++)
        out[14 * i + 10 + k] = d[k];
#endif
}
#endif

extern "C" __global__ void moves(unsigned *out, const unsigned *x)
{
    __shared__ __align__(16) unsigned s[128];
    int i = threadIdx.x, b = blockIdx.x * 32;
    for (int k = 0; k < 4; k++)
        s[32 * k + i] = x[4 * b + 32 * k + i];
    __syncthreads();
    unsigned row = (unsigned)__cvta_generic_to_shared(s + (i * 5 % 32) * 4), *o = out + 15 * (b + i);
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(o[0]) : "r"(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(o[1]) : "r"(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(o[2]), "=r"(o[3]) : "r"(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(o[4]), "=r"(o[5]) : "r"(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(o[6]), "=r"(o[7]), "=r"(o[8]), "=r"(o[9]) : "r"(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(o[10]), "=r"(o[11]), "=r"(o[12]), "=r"(o[13]) : "r"(row));
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(o[14]) : "r"(x[b + i]));
}

#if __CUDA_ARCH__ >= 900
extern "C" __global__ void stores(unsigned *out, const unsigned *x)
{
    __shared__ __align__(16) unsigned s[512];
    int i = threadIdx.x, b = blockIdx.x * 32;
    const unsigned *r = x + 4 * (b + i);
    for (int k = 0; k < 4; k++) {
        for (int j = 0; j < 4; j++)
            s[128 * k + 32 * j + i] = 0;
    }
    __syncthreads();
    unsigned row = (unsigned)__cvta_generic_to_shared(s + (i * 5 % 32) * 4);
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" :: "r"(row), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]));
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" :: "r"(row + 512), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]));
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" :: "r"(row + 1024), "r"(r[1]), "r"(r[3]));
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" :: "r"(row + 1536), "r"(r[2]));
    __syncthreads();
    for (int k = 0; k < 16; k++)
        out[512 * blockIdx.x + 32 * k + i] = s[32 * k + i];
}
#endif

#if __CUDA_ARCH__ >= 800
// C = A * B for 32 x 64 and 64 x 32 elements: a block has four warps, each with 16 rows and 16 columns.
extern "C" __global__ void product_of_bytes(int *c, const unsigned *a, const unsigned *b)
{
    __shared__ __align__(16) unsigned sa[32 * 16], sb[32 * 16];
    int i = threadIdx.x, lane = i % 32, row = i / 64 * 16, column = i / 32 % 2 * 16;
    for (int k = i; k < 512; k += 128) {
        sa[k] = a[k];
        sb[k] = b[k]; // column by column
    }
    __syncthreads();
    int d[2][4] = {};
    for (int k = 0; k < 64; k += 32) {
        unsigned x[4], y[4];
        unsigned pa = (unsigned)__cvta_generic_to_shared(sa) + (row + lane % 16) * 64 + k + lane / 16 * 16;
        unsigned pb = (unsigned)__cvta_generic_to_shared(sb) + (column + lane % 8 + lane / 16 * 8) * 64 + k + lane / 8 % 2 * 16;
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(pa));
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(y[0]), "=r"(y[1]), "=r"(y[2]), "=r"(y[3]) : "r"(pb));
        for (int n = 0; n < 2; n++)
            asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                : "+r"(d[n][0]), "+r"(d[n][1]), "+r"(d[n][2]), "+r"(d[n][3])
                : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[2 * n]), "r"(y[2 * n + 1]));
    }
    for (int n = 0; n < 2; n++)
        for (int k = 0; k < 4; k++)
            c[(row + lane / 4 + k / 2 * 8) * 32 + column + n * 8 + lane % 4 * 2 + k % 2] = d[n][k];
}
#endif

// The same for 16-bit floats of 32 x 32 and 32 x 32 elements; B is stored row by row.
extern "C" __global__ void product_of_halves(float *c, const unsigned *a, const unsigned *b)
{
    __shared__ __align__(16) unsigned sa[32 * 16], sb[32 * 16];
    int i = threadIdx.x, lane = i % 32, row = i / 64 * 16, column = i / 32 % 2 * 16;
    for (int k = i; k < 512; k += 128) {
        sa[k] = a[k];
        sb[k] = b[k];
    }
    __syncthreads();
    float d[2][4] = {};
    for (int k = 0; k < 32; k += 16) {
        unsigned x[4], y[4];
        unsigned pa = (unsigned)__cvta_generic_to_shared(sa) + (row + lane % 16) * 64 + (k + lane / 16 * 8) * 2;
        unsigned pb = (unsigned)__cvta_generic_to_shared(sb) + (k + lane % 16) * 64 + (column + lane / 16 * 8) * 2;
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(pa));
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(y[0]), "=r"(y[1]), "=r"(y[2]), "=r"(y[3]) : "r"(pb));
        for (int n = 0; n < 2; n++)
#if __CUDA_ARCH__ >= 800
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                : "+f"(d[n][0]), "+f"(d[n][1]), "+f"(d[n][2]), "+f"(d[n][3])
                : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[2 * n]), "r"(y[2 * n + 1]));
#else
            for (int h = 0; h < 2; h++)
                asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                    : "+f"(d[n][0]), "+f"(d[n][1]), "+f"(d[n][2]), "+f"(d[n][3])
                    : "r"(x[2 * h]), "r"(x[2 * h + 1]), "r"(y[2 * n + h]));
#endif
    }
    for (int n = 0; n < 2; n++)
        for (int k = 0; k < 4; k++)
            c[(row + lane / 4 + k / 2 * 8) * 32 + column + n * 8 + lane % 4 * 2 + k % 2] = d[n][k];
}

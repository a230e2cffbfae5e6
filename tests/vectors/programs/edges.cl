// Kernels whose launches Lanewise refuses, or that need long buffers.
constant sampler_t nearest =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
int missing(int x);

kernel void image(global float *o, read_only image2d_t a) {
  o[get_global_id(0)] = read_imagef(a, nearest, (int2)(get_global_id(0), 0)).x;
}

kernel void sampled(global float *o, sampler_t s, read_only image2d_t a) {
  o[get_global_id(0)] = read_imagef(a, s, (float2)(get_global_id(0), 0)).x;
}

kernel void outside(global int *o) { o[get_global_id(0)] = missing(o[get_global_id(0)]); }

__attribute__((reqd_work_group_size(8, 4, 2))) kernel void required(global int *o) {
  o[get_global_linear_id()] = get_local_linear_id();
}

// x needs 44101 elements, 176 kB.
kernel void grow(global float *o, global const float *x, global const float *w) {
  uint i = get_global_id(0);
  o[i] = x[i * 700] + w[i];
}

// x needs 277 kB.
kernel void big(global float *o, global const float *x, global const float *w) {
  uint i = get_global_id(0);
  o[i] = x[i * 1100] + w[i];
}

kernel void offsets(global float *o, ulong offset0, global const char *x, ulong begin1) {
  uint i = get_global_id(0);
  o = (global float *)((global char *)o + offset0);
  o[i] = ((global const float *)(x + begin1))[i];
}

kernel void empty() { printf("[%4s] [%s]\n", "", "abc"); }

// Floats of 16 bits.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void half_ops(global half *out, global const half *a, global const half *b) {
  size_t i = get_global_id(0);
  half x = a[i], y = b[i];
  out[8 * i] = x + y;
  out[8 * i + 1] = x * y;
  out[8 * i + 2] = fma(x, y, x);
  out[8 * i + 3] = fmax(x, y);
  out[8 * i + 4] = floor(x) - rint(y);
  out[8 * i + 5] = x < y ? x - y : fabs(y);
  out[8 * i + 6] = (half)(int)(x * 4.0h);
  out[8 * i + 7] = clamp(x, (half)-1.0h, (half)1.0h);
}
kernel void half_load(global float *out, global half *outh, global const half *a) {
  size_t i = get_global_id(0);
  float4 v = vload_half4(i, a);
  out[i] = v.x + v.y * v.z - v.w;
  vstore_half_rte(v.x * 3.1f, i, outh);
}

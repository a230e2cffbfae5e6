// Floats of 64 bits.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void double_ops(global double *out, global const double *a, global const double *b) {
  size_t i = get_global_id(0);
  double x = a[i], y = b[i];
  out[8 * i] = x + y;
  out[8 * i + 1] = x * y;
  out[8 * i + 2] = fma(x, y, -x);
  out[8 * i + 3] = x / y;
  out[8 * i + 4] = sqrt(fabs(x));
  out[8 * i + 5] = floor(x) + ceil(y) + rint(x);
  out[8 * i + 6] = fmax(x, y) - fmin(x, 1.0);
  out[8 * i + 7] = x < y ? (double)(int)x : (double)(long)(y * 1000.0);
}
kernel void double_math(global double *out, global const double *a, global const double *b) {
  size_t i = get_global_id(0);
  double x = a[i], y = b[i];
  out[i] = exp(x);
}
kernel void double_convert(global double *out, global long *outl, global float *outf, global const long *a, global const float *b) {
  size_t i = get_global_id(0);
  out[2 * i] = (double)a[i];
  out[2 * i + 1] = (double)b[i] * 3.0;
  outl[2 * i] = convert_long_sat_rte((double)b[i] * 1e15);
  outl[2 * i + 1] = (long)((double)b[i] * 1000.0);
  outf[i] = (float)((double)a[i] * 1e-3);
}

// Floats of 32 bits.
kernel void float_ops(global float *out, global const float *a, global const float *b) {
  size_t i = get_global_id(0);
  float x = a[i], y = b[i];
  out[16 * i] = x + y;
  out[16 * i + 1] = x * y;
  out[16 * i + 2] = fma(x, y, -x);
  out[16 * i + 3] = fabs(x) - fmin(x, y);
  out[16 * i + 4] = fmax(x, y);
  out[16 * i + 5] = floor(x);
  out[16 * i + 6] = ceil(y);
  out[16 * i + 7] = trunc(x);
  out[16 * i + 8] = rint(y);
  out[16 * i + 9] = round(x);
  out[16 * i + 10] = copysign(x, y);
  out[16 * i + 11] = clamp(x, -2.0f, 2.0f);
  out[16 * i + 12] = step(x, y) + sign(y);
  out[16 * i + 13] = ldexp(x, 3) + nextafter(y, 4.0f);
  out[16 * i + 14] = x < y ? mix(x, y, 0.5f) : -1.0f;
  out[16 * i + 15] = fdim(x, y) + (float)ilogb(y) + (isnan(x) ? 1.0f : 0.0f) + (float)signbit(x);
}
kernel void float_math(global float *out, global const float *a, global const float *b) {
  size_t i = get_global_id(0);
  float x = a[i], y = b[i];
  out[16 * i] = sqrt(fabs(x));
  out[16 * i + 1] = x / y;
  out[16 * i + 2] = exp(x);
  out[16 * i + 3] = log(fabs(x) + 1.0f);
  out[16 * i + 4] = sin(x);
  out[16 * i + 5] = cos(x);
  out[16 * i + 6] = tan(x);
  out[16 * i + 7] = pow(fabs(x) + 0.5f, y);
  out[16 * i + 8] = rsqrt(fabs(y));
  out[16 * i + 9] = exp2(x) + exp10(y * 0.25f);
  out[16 * i + 10] = log2(fabs(x) + 2.0f);
  out[16 * i + 11] = atan2(x, y);
  out[16 * i + 12] = hypot(x, y);
  out[16 * i + 13] = tanh(x);
  out[16 * i + 14] = fmod(x, y);
  out[16 * i + 15] = cbrt(x);
}
kernel void native_math(global float *out, global const float *a, global const float *b) {
  size_t i = get_global_id(0);
  float x = a[i], y = b[i];
  out[8 * i] = native_sqrt(fabs(x));
  out[8 * i + 1] = native_divide(x, y);
  out[8 * i + 2] = native_exp(x);
  out[8 * i + 3] = native_log(fabs(x) + 2.0f);
  out[8 * i + 4] = native_sin(x);
  out[8 * i + 5] = native_powr(fabs(x) + 0.5f, y);
  out[8 * i + 6] = native_rsqrt(fabs(y));
  out[8 * i + 7] = mad(x, y, 1.5f) + native_recip(y);
}
kernel void frexp_modf(global float *out, global int *e, global const float *a) {
  size_t i = get_global_id(0);
  int k;
  float w;
  out[2 * i] = frexp(a[i], &k);
  out[2 * i + 1] = modf(a[i], &w) + w * 8.0f;
  e[i] = k;
}

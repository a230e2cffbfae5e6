// Arithmetic of narrow and wide integers.
kernel void chars(global char *out, global const char *a, global const char *b) {
  size_t i = get_global_id(0);
  char x = a[i], y = b[i];
  out[8 * i] = x + y;
  out[8 * i + 1] = x * y;
  out[8 * i + 2] = add_sat(x, y);
  out[8 * i + 3] = sub_sat(x, y);
  out[8 * i + 4] = mul_hi(x, y);
  out[8 * i + 5] = hadd(x, y);
  out[8 * i + 6] = (char)abs_diff(x, y);
  out[8 * i + 7] = rotate(x, (char)3) ^ (x >> 2);
}
kernel void shorts(global ushort *out, global const ushort *a, global const ushort *b) {
  size_t i = get_global_id(0);
  ushort x = a[i], y = b[i];
  out[8 * i] = x - y;
  out[8 * i + 1] = x * y;
  out[8 * i + 2] = add_sat(x, y);
  out[8 * i + 3] = sub_sat(x, y);
  out[8 * i + 4] = mul_hi(x, y);
  out[8 * i + 5] = rhadd(x, y);
  out[8 * i + 6] = clz(x) + popcount(y) * 256;
  out[8 * i + 7] = rotate(x, y) ^ (ushort)max(x, y) ^ (ushort)clamp(x, (ushort)1000, (ushort)40000);
}
kernel void ints(global int *out, global const int *a, global const int *b) {
  size_t i = get_global_id(0);
  int x = a[i], y = b[i];
  out[8 * i] = add_sat(x, y);
  out[8 * i + 1] = sub_sat(x, y);
  out[8 * i + 2] = mul_hi(x, y);
  out[8 * i + 3] = mad_sat(x, y >> 20, x);
  out[8 * i + 4] = hadd(x, y) ^ rhadd(x, y);
  out[8 * i + 5] = clz(x) + (popcount(y) << 8) + (ctz(x) << 16);
  out[8 * i + 6] = mad24(x, y, 5) ^ mul24(x, y);
  out[8 * i + 7] = rotate(x, y) ^ (int)abs(x) ^ (x >> (y & 31));
}
kernel void longs(global long *out, global const long *a, global const long *b) {
  size_t i = get_global_id(0);
  long x = a[i], y = b[i];
  out[8 * i] = x * y;
  out[8 * i + 1] = mul_hi(x, y);
  out[8 * i + 2] = (long)mul_hi((ulong)x, (ulong)y);
  out[8 * i + 3] = add_sat(x, y) ^ sub_sat(x, y);
  out[8 * i + 4] = (x << (y & 63)) ^ (x >> (y & 63)) ^ (long)((ulong)x >> (y & 31));
  out[8 * i + 5] = clz(x) + (popcount(y) << 8);
  out[8 * i + 6] = max(x, y) - min(x, 5l) + (x < y ? 3 : 1);
  out[8 * i + 7] = rotate(x, y) ^ (long)abs_diff(x, y);
}

// Private arrays, in registers and in memory, and constant tables.
constant int primes[16] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
constant float weights[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
constant uchar reversed[256] = {
#define R(x) ((x) >> 7 & 1) | ((x) >> 5 & 2) | ((x) >> 3 & 4) | ((x) >> 1 & 8) | ((x) << 1 & 16) | ((x) << 3 & 32) | ((x) << 5 & 64) | ((x) << 7 & 128)
#define R4(x) R(x), R(x + 1), R(x + 2), R(x + 3)
#define R16(x) R4(x), R4(x + 4), R4(x + 8), R4(x + 12)
#define R64(x) R16(x), R16(x + 16), R16(x + 32), R16(x + 48)
  R64(0), R64(64), R64(128), R64(192)};
kernel void small_array(global int *out, global const int *in) {
  size_t i = get_global_id(0);
  int a[8];
  for (int k = 0; k < 8; k++) a[k] = in[(i + k) & 63] >> 4;
  for (int k = 0; k < 7; k++)
    for (int j = 0; j < 7 - k; j++)
      if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }
  out[i] = a[in[i] & 7] - a[3];
}
kernel void large_array(global int *out, global const int *in, int n) {
  size_t i = get_global_id(0);
  int a[1500];
  for (int k = 0; k < n; k++) a[k] = in[(i * 7 + k) & 63] + k;
  int s = 0;
  for (int k = 0; k < n; k++) s += a[(k * 13 + in[k & 63]) & 511] ^ k;
  out[i] = s;
}
kernel void byte_array(global uchar *out, global const uchar *in, int n) {
  size_t i = get_global_id(0);
  uchar a[2048];
  ushort b[700];
  for (int k = 0; k < n; k++) { a[k * 3] = in[(i + k) & 63]; b[k] = in[k & 63] * 257; }
  uint s = 0;
  for (int k = 0; k < n; k++) s += a[(n - 1 - k) * 3] * 5 + (b[(k + i) % n] >> 3);
  out[i] = (uchar)s;
}
kernel void table(global int *out, global float *outf, global uchar *outb, global const int *in) {
  size_t i = get_global_id(0);
  out[i] = primes[in[i] & 15];
  float f = 0;
  for (int k = 0; k < 5; k++) f += weights[k] * (float)(in[(i + k) & 63] & 15);
  outf[i] = f + weights[in[i] & 3];
  outb[i] = reversed[in[i] & 255];
}

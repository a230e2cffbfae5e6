// Functions that stay functions, and unusual control flow.
struct Complex { float re, im; };
__attribute__((noinline)) int collatz_length(uint n, int limit) {
  int s = 0;
  while (n != 1) { n = n & 1 ? n * 3 + 1 : n / 2; if (++s >= limit) return -1; }
  return s;
}
__attribute__((noinline)) struct Complex multiply(struct Complex a, struct Complex b) {
  struct Complex c = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  return c;
}
__attribute__((noinline)) void swap_sorted(int *p, int *q) { if (*p > *q) { int t = *p; *p = *q; *q = t; } }
kernel void call_loop(global int *out, global const uint *in) {
  size_t i = get_global_id(0);
  int r = 0;
  if (in[i] & 1) r = collatz_length((in[i] & 255) + 1, 60);
  out[i] = r + collatz_length((uint)i + 3, 20);
}
kernel void call_struct(global float *out, global const float *in) {
  size_t i = get_global_id(0);
  struct Complex z = {in[i], in[63 - i]}, w = z;
  for (int k = 0; k < 3; k++) w = multiply(w, z);
  out[2 * i] = w.re;
  out[2 * i + 1] = w.im;
}
kernel void call_pointer(global int *out, global const int *in) {
  size_t i = get_global_id(0);
  int a = in[i], b = in[63 - i], c = in[(i * 5) & 63];
  swap_sorted(&a, &b); swap_sorted(&b, &c); swap_sorted(&a, &b);
  out[i] = b - (a >> 1) + (c >> 2);
}
kernel void early(global int *out, global const int *in, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  int x = in[i];
  if (x < 0) { out[i] = -1; return; }
  for (int k = 0;; k++) {
    if (x % 7 == 3) { out[i] = k; return; }
    if (k > 40) break;
    if (x & 1) { x = x * 5 + 1; x &= 0xffff; continue; }
    x >>= 1;
  }
  out[i] = x + 100;
}
kernel void state_machine(global uint *out, global const uchar *text, uint length) {
  uint i = get_global_id(0), words = 0, digits = 0, state = 0;
  for (uint k = 0; k < length; k++) {
    uchar c = text[(i * 3 + k) % 64] & 63;
    switch (state) {
      case 0: if (c < 10) { state = 1; digits++; } else if (c > 36) { state = 2; words++; } break;
      case 1: if (c < 10) digits++; else state = c == 63 ? 3 : 0; break;
      case 2: if (c > 50) state = 0; else if (c == 5) goto done; break;
      default: state = c & 3; words ^= 0x100; break;
    }
  }
done:
  out[i] = words << 16 | digits << 4 | state;
}
kernel void dense_switch(global int *out, global const int *op) {
  size_t i = get_global_id(0);
  int x = (int)i;
  for (int k = 0; k < 6; k++)
    switch (op[(i + k) & 63] & 15) {
      case 0: x += 3; break;
      case 1: x -= 7; break;
      case 2: x *= 5; break;
      case 3: x ^= 0x1234; break;
      case 4: x = x << 3 | x >> 5; break;
      case 5: x = -x; break;
      case 6: x /= 3; break;
      case 7: x %= 1001; break;
      case 8: x = max(x, 100); break;
      case 9: x = x & 0xff ? x : 77; break;
      case 10: k++; break;
      case 11: x += k; break;
      default: x ^= k << 4; break;
    }
  out[i] = x;
}

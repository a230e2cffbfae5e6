// Vector loads and stores, structures, and their fields.
struct Pair { int a; float b; };
struct Params { float4 scale; int2 shift; uchar flags; short bias; struct Pair pair; long big; };
kernel void char4s(global char4 *out, global const char4 *a, global const uchar4 *b) {
  size_t i = get_global_id(0);
  out[i] = a[i] + convert_char4(b[i] >> (uchar4)1) * (char4)(1, 2, 3, 4);
}
kernel void float4s(global float4 *out, global const float4 *a, float4 k) {
  size_t i = get_global_id(0);
  float4 x = a[i];
  out[2 * i] = (x.wzyx + k) * (float4)(dot(x, k), 1.0f, 2.0f, 0.5f);
  out[2 * i + 1] = (float4)(x.xy, k.zw);
}
kernel void ushort8s(global ushort8 *out, global const ushort8 *a) {
  size_t i = get_global_id(0);
  ushort8 x = a[i];
  x.even += x.odd;
  x.s7 = x.s0 ^ x.s5;
  out[i] = x;
}
kernel void wide16(global float16 *out, global const float16 *a, global long2 *outl, global const int *n) {
  size_t i = get_global_id(0);
  float16 x = a[i];
  out[i] = x.s0123456789abcdef * 2.0f + x.sfedcba9876543210;
  outl[i] = (long2)(n[i], -n[i]) * (long2)(1l << 33, 3);
}
kernel void params(global float *out, struct Params p, global const struct Pair *pairs, uchar tag, long unused) {
  size_t i = get_global_id(0);
  float f = i & 1 ? p.scale.x : p.scale.w;
  int s = (int)i << p.shift.y;
  out[2 * i] = f * pairs[i].b + (float)(pairs[i].a + p.shift.x + s);
  out[2 * i + 1] = (float)(p.flags + p.bias + p.pair.a + tag) + p.pair.b + (float)(p.big >> 32);
}

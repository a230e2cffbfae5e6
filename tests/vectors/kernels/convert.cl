// Conversions with saturation and rounding.
kernel void from_float(global int *out, global uchar *outb, global short *outs, global const float *a) {
  size_t i = get_global_id(0);
  float x = a[i];
  out[8 * i] = (int)x;
  out[8 * i + 1] = convert_int_rte(x);
  out[8 * i + 2] = convert_int_rtp(x);
  out[8 * i + 3] = convert_int_rtn(x);
  out[8 * i + 4] = convert_int_sat(x * 1e9f);
  out[8 * i + 5] = convert_uint_sat(x * 1e9f);
  out[8 * i + 6] = convert_int_sat_rte(x * 0.5f);
  out[8 * i + 7] = as_int(x) & 0x7f800000;
  outb[2 * i] = convert_uchar_sat(x * 10.0f);
  outb[2 * i + 1] = convert_uchar_sat_rte(x);
  outs[2 * i] = convert_short_sat(x * 4000.0f);
  outs[2 * i + 1] = convert_short_rtz(x);
}
kernel void from_ints(global char *outc, global ushort *outs, global float *outf, global int *outi, global const int *a) {
  size_t i = get_global_id(0);
  int x = a[i];
  outc[4 * i] = convert_char_sat(x);
  outc[4 * i + 1] = (char)x;
  outc[4 * i + 2] = convert_uchar_sat(x >> 20);
  outc[4 * i + 3] = convert_char_sat((uint)x >> 24);
  outs[2 * i] = convert_ushort_sat(x);
  outs[2 * i + 1] = convert_short_sat(x >> 8);
  outf[4 * i] = (float)x;
  outf[4 * i + 1] = convert_float_rtz(x);
  outf[4 * i + 2] = convert_float((uint)x);
  outf[4 * i + 3] = (float)((long)x * 65537);
  outi[2 * i] = convert_int_sat((long)x * 3);
  outi[2 * i + 1] = convert_uint_sat((long)x * 3);
}
kernel void selects(global int *out, global float *outf, global const int *a, global const int *b) {
  size_t i = get_global_id(0);
  int x = a[i] >> 4, y = b[i] >> 4;
  out[4 * i] = select(x, y, x > 0 ? -1 : 0);
  out[4 * i + 1] = bitselect(x, y, 0x0ff00ff0);
  int4 v = (int4)(x, y, x + y, x - y), w = v.wzyx;
  int4 m = v < w;
  v = select(v, w, m);
  out[4 * i + 2] = v.x + v.y * 2 + v.z * 4 + v.w * 8;
  out[4 * i + 3] = any(m) | all(m) << 1 | (x && y) << 2;
  float f = as_float((x & 0x007fffff) | 0x3f800000);
  outf[i] = bitselect(f, 1.0f, as_float(0x80007fff));
}

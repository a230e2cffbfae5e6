/* Negations and absolute values, also of the smallest integers, which OpenCL C defines for
   unsigned types and after a conversion to a wider type. */
kernel void negations(global int *narrow, global long *wide, global const short *s, global const char *c,
                      global const int *d) {
  uint g = get_global_id(0);
  narrow += g * 16;
  narrow[0] = -(int)s[g];
  narrow[1] = -(int)c[g];
  narrow[2] = abs(s[g]);
  narrow[3] = abs(c[g]);
  narrow[4] = 100 - (int)s[g];
  narrow[5] = max(-(int)s[g], 5);
  narrow[6] = convert_int_sat(-(long)d[g]);
  narrow[7] = -s[g] > 0;
  narrow[8] = (int)(-(uint)d[g]) / 71;
  narrow[9] = (int)(-(uint)d[g]) >> 4;
  narrow[10] = clamp((int)abs(d[g]), 1, 58);
  narrow[11] = (char)(-(uint)c[g]);
  narrow[12] = (short)(-(uint)s[g]) >> 2;
  narrow[13] = sub_sat(0, d[g]);
  narrow[14] = (ushort)-s[g];
  narrow[15] = (char)abs(c[g]) < 0;
  wide += g * 8;
  wide[0] = -(long)d[g];
  wide[1] = abs((long)d[g]);
  wide[2] = abs(d[g]);
  wide[3] = -(long)d[g] >> 3;
  wide[4] = (long)(int)(-(uint)d[g]);
  wide[5] = (long)(char)(-(uint)c[g]);
  wide[6] = convert_long((float)(int)(-(uint)d[g]));
  wide[7] = (long)(-(ulong)d[g]) >> 60;
}

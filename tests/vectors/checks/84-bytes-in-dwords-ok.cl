// Two bytes that the compiler stores together, at an odd address in a buffer of dwords.
kernel void k(global uint *buf, global const uchar *in) {
  uint g = get_global_id(0);
  vstore2(vload2(g, in) + (uchar2)(1, 2), 0, (global uchar *)(buf + g * 2) + 3);
  vstore2(vload2(g, (global const ushort *)in) + (ushort2)(1, 2), 0, (global ushort *)(buf + g * 2 + 64) + 1);
}

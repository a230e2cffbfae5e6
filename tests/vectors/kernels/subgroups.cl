// Sub-group operations, with 16 work-items in a sub-group.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#pragma OPENCL EXTENSION cl_intel_subgroups_short : enable
#define SG __attribute__((intel_reqd_sub_group_size(16)))
SG kernel void sg_shuffle(global int *out, global const int *in) {
  size_t i = get_global_id(0);
  uint l = get_sub_group_local_id();
  int x = in[i];
  out[4 * i] = intel_sub_group_shuffle(x, (l * 5 + 3) & 15);
  out[4 * i + 1] = intel_sub_group_shuffle_xor(x, 6u);
  out[4 * i + 2] = intel_sub_group_shuffle_down(x, x + 1, 3u);
  out[4 * i + 3] = intel_sub_group_shuffle_up(x - 1, x, 5u);
}
SG kernel void sg_reduce(global int *out, global float *outf, global const int *in) {
  size_t i = get_global_id(0);
  int x = in[i];
  float f = (float)(x & 255);
  out[4 * i] = sub_group_reduce_add(x);
  out[4 * i + 1] = sub_group_reduce_max(x);
  out[4 * i + 2] = sub_group_scan_inclusive_add(x);
  out[4 * i + 3] = sub_group_scan_exclusive_min(x);
  outf[2 * i] = sub_group_reduce_add(f);
  outf[2 * i + 1] = sub_group_scan_exclusive_add(f);
}
SG kernel void sg_wide(global long *out, global ushort *outs, global const int *in) {
  size_t i = get_global_id(0);
  long x = (long)in[i] * 0x10001l;
  short s = (short)in[i];
  out[2 * i] = sub_group_reduce_add(x);
  out[2 * i + 1] = intel_sub_group_shuffle(x, (get_sub_group_local_id() + 1) & 15);
  outs[2 * i] = intel_sub_group_reduce_max(s);
  outs[2 * i + 1] = intel_sub_group_shuffle_xor(s, 9u);
}
SG kernel void sg_vote(global uint *out, global const int *in) {
  size_t i = get_global_id(0);
  int x = in[i];
  uint r = sub_group_any(x > 1000000000) | sub_group_all(x != 7) << 1;
  r |= sub_group_broadcast(x & 255, 11u) << 8;
  if (x & 1) r |= 4;
  out[i] = r | get_sub_group_size() << 16 | get_sub_group_id() << 24 | get_num_sub_groups() << 28;
}
SG kernel void sg_block(global uint *out, global const uint *in, global ushort *outs, global const ushort *ins) {
  size_t base = get_group_id(0) * get_local_size(0) + get_sub_group_id() * 16;
  uint a = intel_sub_group_block_read(in + base);
  uint2 b = intel_sub_group_block_read2(in + get_group_id(0) * 32);
  intel_sub_group_block_write(out + base, a + b.x * 3 + b.y);
  ushort s = intel_sub_group_block_read_us(ins + base);
  intel_sub_group_block_write_us(outs + base, (ushort)(s * 7));
}

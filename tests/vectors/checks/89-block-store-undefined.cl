// planted: a block of a 2D surface is stored from an array of which one element is never written
#pragma OPENCL EXTENSION cl_intel_subgroup_2d_block_io : enable
__attribute__((intel_reqd_sub_group_size(16))) kernel void k(global const int *index, global const uint *in, global uint *out)
{
  uint8 a[2]; int l = get_sub_group_local_id();
  a[index[0] & 1] = (uint8)(in[l]);
  uint8 v = a[index[1] & 1];
  intel_sub_group_2d_block_write_32b_8r16x1c(out, 64, 8, 64, (int2)(0, 0), (private uint *)&v);
}

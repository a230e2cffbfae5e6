// clean: three rows of the block lie below the surface, are read as 0 and not written
#pragma OPENCL EXTENSION all : enable
__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global uint *o, global const uint *in)
{
  int l = get_sub_group_local_id();
  uint t[8];
  intel_sub_group_2d_block_read_32b_8r16x1c((global void *)in, 64, 20, 64, (int2)(0, 15), (private uint *)t);
  for (int r = 0; r < 8; r++)
    t[r] += l;
  intel_sub_group_2d_block_write_32b_8r16x1c(o, 64, 20, 64, (int2)(0, 15), (private uint *)t);
}

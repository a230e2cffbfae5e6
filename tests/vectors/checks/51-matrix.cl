// planted: a factor of a matrix multiplication was never written
#pragma OPENCL EXTENSION all : enable
__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global int *o, global const int *in, local int *t)
{
  int l = get_local_id(0);
  int8 x, sums = 0;
  short8 y;
  if (l != 3) t[l] = in[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int j = 0; j < 8; j++) { y[j] = in[j * 16 + l]; x[j] = t[l] + j; }
  sums = intel_sub_group_i8_i8_matrix_mad_k32(y, x, sums);
  for (int j = 0; j < 8; j++)
    o[j * 16 + l] = sums[j];
}

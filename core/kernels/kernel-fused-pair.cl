// Two sub-groups run as a fused pair. Each loads four rows of a.
__attribute__((intel_reqd_sub_group_size(8)))
kernel void split_i8(global int *c, global const int *a, global const int *b) {
  int lane = get_sub_group_local_id();
  int t = get_group_id(0) * get_num_sub_groups() + get_sub_group_id();
  int8 acc = 0, bb;
  int4 aa;
  for (int k = 0; k < 8; k++)
    bb[k] = b[t * 64 + k * 8 + lane];
  for (int r = 0; r < 4; r++)
    aa[r] = a[t * 32 + r * 8 + lane];
  acc = intel_sub_group_i8_i8_split_matrix_mad_k32(aa, bb, acc);
  for (int r = 0; r < 8; r++)
    c[t * 64 + r * 8 + lane] = acc[r];
}

// Each work-group computes eight rows of c = a * b; a and b hold 8-bit integers.
// A row of a tile of a has 32 of them, two in each lane.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void tiled_product(global int *c, global const short *a,
                          global const int *b, int tiles) {
  int lane = get_sub_group_local_id(), rows = get_group_id(0);
  int8 acc = 0;
  for (int t = 0; t < tiles; t++) {
    short8 aa;
    int8 bb;
    for (int k = 0; k < 8; k++)
      bb[k] = b[(t * 8 + k) * 16 + lane];
    for (int r = 0; r < 8; r++)
      aa[r] = a[((rows * tiles + t) * 8 + r) * 16 + lane];
    acc = intel_sub_group_i8_i8_matrix_mad_k32(aa, bb, acc);
  }
  for (int r = 0; r < 8; r++)
    c[(rows * 8 + r) * 16 + lane] = acc[r];
}

// Two and three dimensions, with sizes that fill no whole thread.
kernel void grid2(global uint *out, uint width) {
  uint x = get_global_id(0), y = get_global_id(1);
  out[y * width + x] = x | y << 8 | (uint)get_local_id(0) << 16 | (uint)get_group_id(1) << 24;
}
kernel void grid3(global uint *out, global uint *info) {
  uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  uint w = get_global_size(0), h = get_global_size(1);
  out[(z * h + y) * w + x] = x + y * 100 + z * 10000 + (uint)get_local_linear_id() * 1000000;
  if (x == 0 && y == 0 && z == 0) {
    info[0] = get_work_dim();
    info[1] = get_num_groups(0) | get_num_groups(1) << 8 | get_num_groups(2) << 16;
    info[2] = get_local_size(0) | get_local_size(1) << 8 | get_local_size(2) << 16;
    info[3] = get_global_linear_id();
  }
}
kernel void transpose(global int *out, global const int *in, int width, int height, local int *tile) {
  int lx = get_local_id(0), ly = get_local_id(1), n = get_local_size(0);
  tile[ly * (n + 1) + lx] = in[get_global_id(1) * width + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  int x = get_group_id(1) * n + lx, y = get_group_id(0) * n + ly;
  out[y * height + x] = tile[lx * (n + 1) + ly];
}
kernel void stencil(global float *out, global const float *in, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height) return;
  float s = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      int xx = x + dx, yy = y + dy;
      if (xx < 0 || xx >= width || yy < 0 || yy >= height) continue;
      s += in[yy * width + xx];
    }
  out[y * width + x] = s;
}

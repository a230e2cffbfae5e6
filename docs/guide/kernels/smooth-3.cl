kernel void smooth(global float *out, global const float *in,
                   uint n, local float *tile) {
  uint i = get_global_id(0), l = get_local_id(0);
  uint size = get_local_size(0);
  tile[l + 1] = in[i];
  if (l == 0) tile[0] = in[i == 0 ? 0 : i - 1];
  if (l == size - 1) tile[size + 1] = in[min(i + 1, n - 1)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = (tile[l] + tile[l + 1] + tile[l + 2]) / 3;
}

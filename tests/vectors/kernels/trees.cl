// Work-groups that work together.
kernel void tree_sum(global int *out, global const int *in, local int *s) {
  uint l = get_local_id(0), n = get_local_size(0);
  s[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = n / 2; k > 0; k >>= 1) {
    if (l < k) s[l] += s[l + k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = s[0];
}
kernel void prefix(global int *out, global const int *in) {
  local int s[2][128];
  uint l = get_local_id(0), n = get_local_size(0), from = 0;
  s[0][l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = 1; k < n; k *= 2) {
    s[1 - from][l] = s[from][l] + (l >= k ? s[from][l - k] : 0);
    from = 1 - from;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = s[from][l];
}
kernel void bitonic(global int *data) {
  local int s[64];
  uint l = get_local_id(0);
  s[l] = data[get_global_id(0)];
  for (uint k = 2; k <= 64; k <<= 1)
    for (uint j = k >> 1; j > 0; j >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint m = l ^ j;
      if (m > l) {
        int a = s[l], b = s[m];
        if ((a > b) == ((l & k) == 0)) { s[l] = b; s[m] = a; }
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = s[l];
}
kernel void copies(global int *out, global const int *in) {
  local int s[64];
  event_t e = async_work_group_copy(s, in + get_group_id(0) * 64, 64, 0);
  wait_group_events(1, &e);
  uint l = get_local_id(0);
  s[l] += 1000;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[63 - l];
}

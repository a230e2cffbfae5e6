// a scan, in which only some lanes of each half of a thread store
kernel void k(global int *o, global const int *a) {
  local int t[64], u[64];
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < 64; d *= 2) {
    if (l >= d)
      u[l] = t[l] + t[l - d];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l >= d)
      t[l] = u[l];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int d = 0; d < 4; d++)
    if (l >= 32 - d * 8)
      o[get_global_id(0)] = t[l] + d;
}

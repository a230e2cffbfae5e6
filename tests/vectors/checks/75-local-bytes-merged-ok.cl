// bytes and shorts of local memory, which the compiler merges
kernel void k(global int *o) {
  local uchar b[512];
  local ushort h[512];
  int l = get_local_id(0), s = 0;
  for (int j = 0; j < 3; j++)
    b[l * 3 + j] = (uchar)(l + j);
  for (int j = 0; j < 5; j++)
    h[l * 5 + j] = (ushort)(l * j);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int j = 0; j < 7; j++)
    s += b[l + j] + h[l + j];
  o[get_global_id(0)] = s;
}

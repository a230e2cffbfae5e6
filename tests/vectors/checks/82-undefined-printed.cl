// half of a work-group prints elements of local memory that nothing has written
kernel void k(global int *o, global const int *a) {
  local int t[16];
  int i = get_local_id(0);
  if (i < 8)
    t[i] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  printf("%d: %d\n", i, t[i]);
  o[i] = i;
}

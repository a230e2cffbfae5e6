// Without optimization, the compiler calls the fence of the barrier by a function's address
// that it keeps in a dword.
kernel void group_sums(global int *out, global const int *x) {
  local int sums[64];
  uint i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
  sums[l] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (uint k = 0; k <= l; k++)
    sum += sums[n - 1 - k];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = sum;
}

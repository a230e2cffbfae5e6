// Pointers to any memory.
__attribute__((noinline)) int sum_any(const int *p, int n) { int s = 0; for (int k = 0; k < n; k++) s += p[k]; return s; }
kernel void generic_sum(global int *out, global const int *in) {
  local int s[64];
  int p[4];
  size_t i = get_global_id(0), l = get_local_id(0);
  s[l] = in[i] & 0xffff;
  for (int k = 0; k < 4; k++) p[k] = (int)i * k;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int *q = i % 3 == 0 ? in : i % 3 == 1 ? (const int *)s : (const int *)p;
  out[i] = sum_any(q, 4) & 0xffffff;
}

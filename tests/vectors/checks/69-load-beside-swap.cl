// planted: the compare-and-swap of the loop does not compare what the load reads
kernel void k(global int *o, volatile global int *d, volatile global int *c, int n) {
  int l = get_local_id(0), s = 0;
  for (int j = 0; j < n; j++) {
    s += d[0];
    atomic_cmpxchg(c, j, j + 1);
  }
  if (l == 40)
    d[0] = s;
  o[l] = s;
}

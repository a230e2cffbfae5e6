// lanes of one thread store in different turns of a loop: a race that only `lockstep` reports
kernel void k(global int *o, global const int *a, int n) {
  int l = get_local_id(0);
  for (int d = 0; d < n; d++)
    if (l >> 4 == d)
      o[l & 15] = a[l];
}

kernel void lock(global uint *m, global uint *c) {
  int done = 0;
  while (!done) {
    if (atomic_cmpxchg(m, 0, 1) == 0) {
      *c += 1;
      atomic_xchg(m, 0);
      done = 1;
    }
  }
}

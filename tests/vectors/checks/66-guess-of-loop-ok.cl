// clean: the load only guesses what the compare-and-swap compares
inline void add(volatile global float *p, float v) {
  union { uint u; float f; } o, n;
  do {
    o.f = *p;
    n.f = o.f + v;
  } while (atomic_cmpxchg((volatile global uint *)p, o.u, n.u) != o.u);
}
kernel void k(global int *o, global const int *a) {
  add((global float *)o + get_local_id(0) % 4, a[get_global_id(0)]);
}

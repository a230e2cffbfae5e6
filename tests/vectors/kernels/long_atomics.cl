// Atomics of 64 bits, of floats, and of local memory.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void atomic_longs(global long *out, global ulong *outu, global const int *in) {
  size_t i = get_global_id(0);
  long x = (long)in[i] * 0x100001l;
  atom_add(&out[0], x);
  atom_sub(&out[1], x);
  atom_min(&out[2], x);
  atom_max(&out[3], x);
  atom_xor(&out[4], x);
  atom_inc(&out[5]);
  atom_dec(&out[6]);
  atom_max(&outu[0], (ulong)x);
  atom_and(&outu[1], (ulong)x | 0xff);
  atom_or(&outu[2], 1ul << (i & 63));
}
kernel void exchange_longs(global long *out, global long *last) {
  size_t i = get_global_id(0);
  out[i] = atom_xchg(last, (long)i + 1000);
  long seen, now = last[1];
  do { seen = now; now = atom_cmpxchg(&last[1], seen, seen + (long)i * 0x100000000l); } while (now != seen);
}
void add_float(volatile global float *p, float x) {
  union { uint u; float f; } seen, next;
  do { seen.f = *p; next.f = seen.f + x; } while (atomic_cmpxchg((volatile global uint *)p, seen.u, next.u) != seen.u);
}
void add_local_float(volatile local float *p, float x) {
  union { uint u; float f; } seen, next;
  do { seen.f = *p; next.f = seen.f + x; } while (atomic_cmpxchg((volatile local uint *)p, seen.u, next.u) != seen.u);
}
kernel void float_sums(global float *out, global const int *in) {
  local float s[4];
  size_t i = get_global_id(0), l = get_local_id(0);
  if (l < 4) s[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  add_local_float(&s[i & 3], (float)(in[i] & 255));
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 4) add_float(&out[l], s[l]);
  out[4 + i] = atomic_xchg(&out[4 + i], (float)i) + 1.0f;
}
kernel void local_atomics(global int *out, global const int *in) {
  local int s[8];
  local uint order;
  size_t i = get_global_id(0), l = get_local_id(0);
  if (l < 8) s[l] = l == 2 ? INT_MAX : l == 3 ? -1 : 0;
  if (l == 0) order = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int x = in[i];
  atomic_add(&s[0], x);
  atomic_sub(&s[1], x);
  atomic_min(&s[2], x);
  atomic_and(&s[3], x | 0x0f0f0f0f);
  atomic_or(&s[4], x & 0xff00);
  atomic_xor(&s[5], x);
  atomic_max(&s[6], x);
  atomic_inc(&order);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 8) out[get_group_id(0) * 8 + l] = l == 7 ? (int)order : s[l];
}

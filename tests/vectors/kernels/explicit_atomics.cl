// Atomics of OpenCL 2.0.
kernel void explicit_atomics(global atomic_int *out, global atomic_uint *flags, global const int *in) {
  size_t i = get_global_id(0);
  int x = in[i];
  atomic_fetch_add_explicit(&out[0], x, memory_order_relaxed, memory_scope_device);
  atomic_fetch_max_explicit(&out[1], x, memory_order_acq_rel, memory_scope_device);
  atomic_fetch_and_explicit(&out[2], x | 15, memory_order_relaxed, memory_scope_work_group);
  atomic_fetch_or(&flags[i & 3], 1u << (i >> 2));
  int seen = atomic_load_explicit(&out[3], memory_order_relaxed, memory_scope_device);
  while (!atomic_compare_exchange_weak_explicit(&out[3], &seen, seen * 2 + 1, memory_order_relaxed, memory_order_relaxed, memory_scope_device)) {}
  atomic_store(&out[8 + i], x - 1);
}

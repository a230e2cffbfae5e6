// planted: the barrier orders local memory only
kernel void k(global int *o, global int *data, global atomic_int *flag)
{
  int i = get_global_id(0), t = get_local_id(0);
  if (get_group_id(0) == 0) {
    if (t == 40) data[0] = 42;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0) atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
  } else if (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device)) o[i] = data[0];
}

// planted: the fence for the device is older than the data
kernel void k(global int *o, global int *data, global atomic_int *flag) {
  int g = get_group_id(0);
  if (get_local_id(0) == 0) {
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
    data[g] = g + 1;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_work_group);
    int n = atomic_fetch_add_explicit(flag, 1, memory_order_relaxed, memory_scope_device);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
    if (n == get_num_groups(0) - 1) {
      int s = 0;
      for (int j = 0; j < get_num_groups(0); j++)
        s += data[j];
      o[0] = s;
    }
  }
}

// clean: a local barrier lies between the counter and the fence that acquires
kernel void k(global int *o, global int *part, global atomic_int *ticket)
{
  local int last;
  int g = get_group_id(0), n = get_num_groups(0), l = get_local_id(0);
  if (l == 0) {
    part[g] = g * g + 1;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
    last = atomic_fetch_add_explicit(ticket, 1, memory_order_relaxed, memory_scope_device) == n - 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (last && l == 0) {
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
    int sum = 0;
    for (int j = 0; j < n; j++) sum += part[j];
    o[0] = sum;
  }
}

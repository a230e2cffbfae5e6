// clean: local atomics need no fence instruction here
kernel void k(global int *o, global const int *a) {
  local int part[8], last; local atomic_int cnt; int l = get_local_id(0);
  if (l == 0) atomic_init(&cnt, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  int s = sub_group_reduce_add(a[get_global_id(0)]);
  if (get_sub_group_local_id() == 0) {
    part[get_sub_group_id()] = s;
    int n = atomic_fetch_add_explicit(&cnt, 1, memory_order_acq_rel, memory_scope_work_group);
    if (n == get_num_sub_groups() - 1) {
      int t = 0; for (int j = 0; j < get_num_sub_groups(); j++) t += part[j];
      o[get_group_id(0)] = t;
    }
  }
}

// Functions of the whole work-group.
kernel void group_functions(global int *out, global const int *in) {
  int x = in[get_global_id(0)] >> 3;
  out[4 * get_global_id(0)] = work_group_reduce_add(x);
  out[4 * get_global_id(0) + 1] = work_group_scan_inclusive_max(x);
  out[4 * get_global_id(0) + 2] = work_group_broadcast(x, 5);
  out[4 * get_global_id(0) + 3] = work_group_any(x == in[3]) | work_group_all(x != 1) << 1;
}

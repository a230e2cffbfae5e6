// planted: lanes of both halves of a store write to one element
__attribute__((intel_reqd_sub_group_size(32)))
kernel void k(global int *o, global const int *a)
{
  int t = get_local_id(0);
  o[a[t]] = t;
}

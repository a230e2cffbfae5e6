// Written for this test: on DG2 each thread of 32 work-items prints in two halves of 16.
__attribute__((intel_reqd_sub_group_size(32)))
kernel void say_positive(global const int *in) {
  int i = get_global_id(0);
  if (in[i] > 0) printf("item %d\n", i);
}

// planted: nothing sets the counters to 0
kernel void k(global int *o, global const int *in, local int *t)
{
  int l = get_local_id(0);
  atomic_inc(&t[in[l] & 7]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 8)
    o[l] = t[l];
}

// planted: half of the addends were never written
kernel void k(global int *o, global const int *in, local int *t)
{
  int l = get_local_id(0);
  if (l & 1) t[l] = in[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&o[l & 3], t[l]);
}

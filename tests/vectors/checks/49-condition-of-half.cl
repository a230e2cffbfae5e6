// planted: the condition is undefined for the work-items 0 to 15 of each 32
kernel void k(global int *o, global const int *in, local int *t)
{
  int l = get_local_id(0);
  if (l >= 16) t[l] = 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t[l] > 2) o[l] = in[l] + 1;
  else o[l] = 5;
}

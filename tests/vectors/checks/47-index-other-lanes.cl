// planted: only the work-items 1 to 15 of each 16 index the array with a value that nothing has written
kernel void k(global int *o, global const int *in, local int *t)
{
  int l = get_local_id(0);
  int r[8];
  for (int j = 0; j < 8; j++) r[j] = in[l * 8 + j];
  if ((l & 15) == 0) t[l] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  o[l] = r[t[l] & 7];
}

// clean: work-items without an index take no part in the indexed read
kernel void k(global int *o, global const int *in, local int *t)
{
  int l = get_local_id(0);
  int r[8];
  for (int j = 0; j < 8; j++) r[j] = in[l * 8 + j];
  int s = 0;
  if (l & 3) s = r[in[l] & 7];
  o[l] = s;
}

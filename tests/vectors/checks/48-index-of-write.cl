// planted: the index of a write to a private array is undefined
kernel void k(global int *o, global const int *in, local int *t)
{
  int l = get_local_id(0);
  int r[8];
  for (int j = 0; j < 8; j++) r[j] = in[l * 8 + j];
  r[t[l] & 7] = 5;
  int s = 0;
  for (int j = 0; j < 8; j++) s = s * 3 + r[j];
  o[l] = s;
}

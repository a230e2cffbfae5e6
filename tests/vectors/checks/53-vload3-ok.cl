// clean: vload3 and vstore3 need the alignment of an element only
kernel void k(global ushort *o, global const uchar *in, local int *t)
{
  int l = get_local_id(0);
  ushort3 v = convert_ushort3(vload3(l, in));
  vstore3(v + (ushort3)1, l, o);
}

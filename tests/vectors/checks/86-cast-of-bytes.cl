// planted: numbers at odd addresses of a buffer of bytes
kernel void k(global uint *o, global uchar *a)
{
  int i = get_global_id(0);
  o[i] = *(global uint *)(a + i * 4 + 1) + 1;
  *(global uint *)(a + i * 4 + 81) = i;
  *(global float *)(a + i * 4 + 161) = 1.5f;
  *(global uint *)(a + i * 4 + 241) = o[i + 16];
}

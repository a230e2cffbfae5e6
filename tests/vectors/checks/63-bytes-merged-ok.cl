// clean: the compiler loads four bytes at once
kernel void k(global int *o, global const uchar *a)
{
  int i = get_global_id(0), t = get_local_id(0);
  local uchar s[80];
  s[t] = a[i]; if (t < 15) s[64 + t] = a[i + 64];
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int j = 0; j < 16; j++) sum += s[t + j]; 
  o[i] = sum;
}

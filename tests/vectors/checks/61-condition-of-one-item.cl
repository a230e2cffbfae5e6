// planted: one work-item branches on an undefined value
kernel void k(global int *o, global const int *a, int n)
{
  local int s[64]; int t = get_local_id(0);
  if (a[t] > 100) s[t] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (a[t] == 37) { if (s[9] > 0) o[t] = a[t + 3] * 5; else o[t] = n; }
}

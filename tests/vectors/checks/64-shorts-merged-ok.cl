// clean: the compiler loads two elements at once
kernel void k(global ushort *o, global const ushort *a)
{
  local ushort s[68]; int t = get_local_id(0);
  s[t] = a[t]; if (t < 4) s[64 + t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  o[t] = s[t] + s[t + 1] * 2 + s[t + 2] * 3 + s[t + 3];
}

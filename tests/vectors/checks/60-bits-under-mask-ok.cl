// clean: the mask hides what nothing has written
kernel void k(global uint *o, global const uint *a)
{
  int i = get_global_id(0), t = get_local_id(0);
  local uint s[64];
  if (a[i] & 1) s[t] = a[i] * 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint m = 0u - (a[i] & 1);
  o[i] = (s[t] & m) | (a[i] & ~m);
}

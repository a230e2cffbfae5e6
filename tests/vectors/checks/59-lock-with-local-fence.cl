// planted: the fences of the lock order local memory only
kernel void k(volatile global int *cnt)
{
  local int lock; int t = get_local_id(0);
  if (t == 0) lock = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if ((t & 31) == 0) {
    while (atomic_cmpxchg(&lock, 0, 1));
    mem_fence(CLK_LOCAL_MEM_FENCE);
    cnt[0] = cnt[0] + 1;
    mem_fence(CLK_LOCAL_MEM_FENCE);
    atomic_xchg(&lock, 0);
  }
}

// clean: the compiler emulates an exchange of 64 bits, which reads local memory first
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void k(global long *o)
{
  local long s[2]; local atomic_long t; int i = get_local_id(0);
  if (i < 2) atom_xchg(&s[i], 5L + i);
  if (i == 0)
    atomic_store_explicit(&t, 7L, memory_order_relaxed, memory_scope_work_group);
  barrier(CLK_LOCAL_MEM_FENCE);
  o[i] = s[i & 1] + atomic_load_explicit(&t, memory_order_relaxed, memory_scope_work_group);
}

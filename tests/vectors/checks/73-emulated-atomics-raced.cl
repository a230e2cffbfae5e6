// planted: a plain store beside an emulated atomic
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void k(global int *o) {
  local ulong sum, most, first;
  int l = get_local_id(0);
  if (l == 0)
    sum = most = first = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 40)
    sum = 5;
  atom_add(&sum, (ulong)l);
  atom_max(&most, (ulong)(l * 3));
  atom_cmpxchg(&first, (ulong)0, (ulong)7);
  barrier(CLK_LOCAL_MEM_FENCE);
  o[get_global_id(0)] = (int)(sum + most + first);
}

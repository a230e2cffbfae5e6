// planted: what an exchange returns, and a sum, of local memory that nothing has written
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void k(global long *o, global long *q)
{
  local long s, t; int i = get_local_id(0);
  if (i == 0) {
    long was = atom_xchg(&s, 5L);
    o[0] = was;
    atom_add(&t, 3L);
    q[0] = s;
  }
}

kernel void histogram(global const uint *in, global uint *bins, uint n) {
  local uint l[16];
  if (get_local_id(0) < 16) l[get_local_id(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    atomic_inc(&l[in[i] & 15]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) < 16)
    atomic_add(&bins[get_local_id(0)], l[get_local_id(0)]);
}

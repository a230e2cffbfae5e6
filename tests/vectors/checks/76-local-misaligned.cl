// planted: an int at an odd address of local memory
kernel void k(global int *o, int n) {
  local uchar b[512];
  int l = get_local_id(0);
  *(local int *)(b + l * 4 + n) = l * l;
  barrier(CLK_LOCAL_MEM_FENCE);
  o[get_global_id(0)] = b[l * 4 + n];
}

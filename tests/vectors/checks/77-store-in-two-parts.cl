// planted: the two halves of a store of 32 lanes write the same elements
kernel void k(global int *o, global const int *a) {
  int l = get_local_id(0);
  int v = a[l] * 3;
  o[l + 64] = v;
  o[l & 15] = v;
}

// Vectors of three elements.
kernel void threes(global int *out, global const int *a, global const char *b) {
  size_t i = get_global_id(0);
  int3 x = vload3(i, a);
  char3 c = vload3(i, b);
  vstore3(x.zxy - convert_int3(c), i, out);
}

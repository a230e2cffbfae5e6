// loads of as many elements as are there, which the compiler rounds up; merged bytes
struct point {
  float x, y, z;
};
kernel void k(global int *o, constant struct point *a, global const int *b, global const uchar *c) {
  int i = get_global_id(0), g = get_group_id(0), s = 0;
  for (int j = 0; j < 7; j++)
    s += b[g * 7 + j];
  for (int j = 0; j < 5; j++)
    s += c[g * 5 + j];
  o[i] = (int)(a->x * i + a->y + a->z) + s;
}

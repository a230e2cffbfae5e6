// structures and vectors with padding are printed
typedef struct {
  char c;
  float3 v;
  short h;
} S;
kernel void k(global int *o, global const int *a) {
  local S t[16];
  local char3 u[16];
  int i = get_local_id(0);
  t[i].c = (char)a[i];
  t[i].v = (float3)(a[i], 1, 2);
  t[i].h = 4;
  u[i] = (char3)(1, a[i], 3);
  barrier(CLK_LOCAL_MEM_FENCE);
  S s = t[(i + 1) & 15];
  printf("%c %v3hlf %hd %v3hhd\n", s.c, s.v, s.h, u[(i + 1) & 15]);
  o[i] = 1;
}

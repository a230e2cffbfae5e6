// printf, which needs a runtime.
kernel void print(global int *out) {
  size_t i = get_global_id(0);
  if (i == 3) printf("%d %s\n", (int)i, "three");
  out[i] = (int)i;
}

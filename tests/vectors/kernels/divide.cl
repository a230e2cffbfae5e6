// Division and remainder of every integer type; b is never 0, and no quotient overflows.
#define DIVIDE(type) \
kernel void divide_##type(global type *q, global type *r, global const type *a, global const type *b, type c) { \
  size_t i = get_global_id(0); \
  q[2 * i] = a[i] / b[i]; \
  q[2 * i + 1] = a[i] / c; \
  r[2 * i] = a[i] % b[i]; \
  r[2 * i + 1] = a[i] % (type)10; \
}
DIVIDE(char) DIVIDE(uchar) DIVIDE(short) DIVIDE(ushort) DIVIDE(int) DIVIDE(uint) DIVIDE(long) DIVIDE(ulong)

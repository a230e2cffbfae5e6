// clean: the compiler merges bytes that are only copied, and constant ones
typedef struct __attribute__((packed)) { uchar tag; uint value; } Record;
kernel void k(global uchar *o, global const uchar *a, global Record *r, global const uint *n)
{
  local uchar s[96]; int i = get_global_id(0);
  vstore8(vload8(0, a + i * 9 + 1), 0, o + i * 9 + 1);
  o[i * 5 + 161] = 7; o[i * 5 + 162] = 7; o[i * 5 + 163] = 7; o[i * 5 + 164] = 7;
  r[i].value = n[i];
  vstore4(vload4(0, a + i * 5 + 1), 0, s + i * 5 + 2);
  barrier(CLK_LOCAL_MEM_FENCE);
  vstore4(vload4(0, s + i * 5 + 2), 0, o + i * 5 + 257);
}

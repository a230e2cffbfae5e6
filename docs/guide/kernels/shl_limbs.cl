kernel void shl_limbs(global uint *four) {
  global uint *p = four + 12 * get_global_id(0);
  uint4 hi = vload4(0, p), mid = vload4(1, p), lo = vload4(2, p);
  hi = (hi << 1) | (mid >> 31);
  mid = (mid << 1) | (lo >> 31);
  lo <<= 1;
  vstore4(hi, 0, p);
  vstore4(mid, 1, p);
  vstore4(lo, 2, p);
}

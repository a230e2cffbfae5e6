// Groups of lanes that reduce and vote by masks which differ in a warp.
extern "C" __global__ void partitions(unsigned *o, const unsigned *a) {
  unsigned t = threadIdx.x, v = a[t];
  unsigned even = __ballot_sync(~0u, !(v & 4)), mine = v & 4 ? ~even : even;
  o[t] = __reduce_add_sync(mine, v);
  unsigned alike = __match_any_sync(~0u, v % 5);
  o[64 + t] = __reduce_max_sync(alike, v);
  o[128 + t] = __ballot_sync(alike, v & 1);
  if (v & 8) {
    unsigned rest = __activemask();
    o[192 + t] = __reduce_xor_sync(rest, v) + __popc(__ballot_sync(rest, v & 2));
  }
}

// Sources of the scenarios kernel-*.lanewise. ocloc of intel-opencl-icd (IGC 1.0.12504)
// compiled each kernel for the device named in its scenario, with
//   ocloc compile -file bundled.cl -device DEVICE -options "-cl-std=CL2.0" \
//         -internal_options "-cl-intel-allow-zebin -ze-emit-zebin-visa-sections"
// `lanewise open FILE --kernel NAME` printed the text; sizes, buffers, numbers, title and
// note are ours.

// kernel-histogram, TGLLP
kernel void histogram(global const uint *in, global uint *bins, uint n) {
  local uint l[16];
  if (get_local_id(0) < 16) l[get_local_id(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&l[in[i] & 15]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) < 16) atomic_add(&bins[get_local_id(0)], l[get_local_id(0)]);
}

// The headers of this compiler lack the declarations of matrix functions.
int8 __attribute__((overloadable)) intel_sub_group_i8_i8_matrix_mad_k32(int8 a, int8 b, int8 acc);
int8 __attribute__((overloadable)) intel_sub_group_i8_i8_split_matrix_mad_k32(int4 a, int8 b, int8 acc);

// kernel-tiles, DG2. Each work-group computes eight rows of c.
__attribute__((intel_reqd_sub_group_size(8)))
kernel void tiled_product(global int *c, global const int *a, global const int *b, int tiles) {
  int lane = get_sub_group_local_id(), rows = get_group_id(0);
  int8 acc = 0;
  for (int t = 0; t < tiles; t++) {
    int8 aa, bb;
    for (int k = 0; k < 8; k++) bb[k] = b[(t * 8 + k) * 8 + lane];
    for (int r = 0; r < 8; r++) aa[r] = a[((rows * tiles + t) * 8 + r) * 8 + lane];
    acc = intel_sub_group_i8_i8_matrix_mad_k32(aa, bb, acc);
  }
  for (int r = 0; r < 8; r++) c[(rows * 8 + r) * 8 + lane] = acc[r];
}

// kernel-fused-pair, DG2
__attribute__((intel_reqd_sub_group_size(8)))
kernel void split_i8(global int *c, global const int *a, global const int *b) {
  int lane = get_sub_group_local_id(), t = get_group_id(0) * get_num_sub_groups() + get_sub_group_id();
  int8 acc = 0, bb;
  int4 aa;
  for (int k = 0; k < 8; k++) bb[k] = b[t * 64 + k * 8 + lane];
  for (int r = 0; r < 4; r++) aa[r] = a[t * 32 + r * 8 + lane];
  acc = intel_sub_group_i8_i8_split_matrix_mad_k32(aa, bb, acc);
  for (int r = 0; r < 8; r++) c[t * 64 + r * 8 + lane] = acc[r];
}

// kernel-endless-lock, PVC. It never ends: see docs/guide/run-your-own-kernel.md.
kernel void lock(global uint *m, global uint *c) {
  int done = 0;
  while (!done) {
    if (atomic_cmpxchg(m, 0, 1) == 0) {
      *c += 1;
      atomic_xchg(m, 0);
      done = 1;
    }
  }
}

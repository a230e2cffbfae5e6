// Instructions that the compiler of 2026 writes for Xe3P only.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

float __attribute__((overloadable)) intel_sigmoid(float x);
half __attribute__((overloadable)) intel_sigmoid(half x);
ushort __attribute__((overloadable)) intel_atomic_fetch_add_as_bfloat16(volatile global ushort *p, ushort x);
ushort __attribute__((overloadable)) intel_atomic_fetch_sub_as_bfloat16(volatile global ushort *p, ushort x);
ushort __attribute__((overloadable)) intel_atomic_fetch_min_as_bfloat16(volatile global ushort *p, ushort x);
ushort __attribute__((overloadable)) intel_atomic_fetch_max_as_bfloat16(volatile global ushort *p, ushort x);

kernel void activations(global float *out, global half *halves, global const float *x, global const half *y) {
    size_t i = get_global_id(0);
    out[2 * i] = tanh(x[i]);
    out[2 * i + 1] = intel_sigmoid(x[i]);
    halves[2 * i] = tanh(y[i]);
    halves[2 * i + 1] = intel_sigmoid(y[i]);
}

// Sums of small integers are exact in any order.
kernel void bf_atomics(global ushort *cells, global ushort *before, global const ushort *x) {
    size_t i = get_global_id(0);
    intel_atomic_fetch_add_as_bfloat16(&cells[i & 3], x[i]);
    intel_atomic_fetch_sub_as_bfloat16(&cells[4 + (i & 3)], x[i]);
    intel_atomic_fetch_min_as_bfloat16(&cells[8 + (i & 3)], x[i]);
    intel_atomic_fetch_max_as_bfloat16(&cells[12 + (i & 3)], x[i]);
    before[i] = intel_atomic_fetch_add_as_bfloat16(&cells[16 + i], x[i]);
}

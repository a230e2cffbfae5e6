// Private arrays, indexed registers of 32 lanes and local sums of floats, which the compiler of
// 2026 writes differently for Xe3P.
#pragma OPENCL EXTENSION __opencl_c_ext_fp32_local_atomic_add : enable

kernel void scratch(global int *out, global const int *x) {
    int i = get_global_id(0);
    int a[96];
    for (int k = 0; k < 96; k++)
        a[k] = x[(i + k) & 63] * k;
    int at = i;
    for (int k = 0; k < 40; k++) {
        int j = (a[at % 96] ^ k) & 63;
        a[j] += a[(j * 7 + 1) % 96] + k;
        at = j;
    }
    int hash = 0;
    for (int k = 0; k < 96; k++)
        hash = hash * 31 + a[k];
    out[i] = hash;
}

__attribute__((intel_reqd_sub_group_size(32)))
kernel void indexed(global int *out, global int *shuffled, global const int *x) {
    int i = get_global_id(0);
    int r[8];
    for (int k = 0; k < 8; k++)
        r[k] = x[i * 8 + k];
    out[i] = r[x[i] & 7];
    shuffled[i] = intel_sub_group_shuffle(x[i], (x[i] * 5) & 31);
}

kernel void local_sum(global float *out, global const float *x, local atomic_float *sum) {
    int i = get_local_id(0);
    if (i == 0)
        atomic_store_explicit(sum, 0.0f, memory_order_relaxed, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(sum, x[get_global_id(0)], memory_order_relaxed, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 0)
        out[get_group_id(0)] = atomic_load_explicit(sum, memory_order_relaxed, memory_scope_work_group);
}

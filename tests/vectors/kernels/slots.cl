__attribute__((intel_reqd_sub_group_size(16)))
kernel void slots(global int *out, global const int *in)
{
    int i = get_local_id(0);
    int own[64];
    for (int q = 0; q < 64; q++)
        own[q] = in[(i + q) & 1023];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = own[in[i] & 63];
}

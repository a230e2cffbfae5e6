// Work-item functions in a function that is called through the stack.
__attribute__((noinline)) uint descend(uint n)
{
    if (n == 0)
        return get_global_id(0) * 1000 + get_global_id(1) * 100 + get_local_id(0) * 10 + get_local_id(1);
    return descend(n - 1) + n * get_local_size(0) + get_num_groups(1) * 7 + get_global_size(1)
        + get_group_id(1) * 3 + get_work_dim() + get_global_offset(0);
}

kernel void ids(global uint *out)
{
    uint x = get_global_id(0) - get_global_offset(0);
    uint y = get_global_id(1) - get_global_offset(1);
    uint i = y * get_global_size(0) + x;
    out[i] = descend(1 + (i & 3));
}

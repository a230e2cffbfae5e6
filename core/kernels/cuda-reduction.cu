// Each warp adds the values of its lanes: after five halvings, lane 0 has the sum.
extern "C" __global__ void warp_sums(int *sums, const int *in) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = in[i];
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, distance);
  if (i % 32 == 0)
    sums[i / 32] = sum;
}

extern "C" __global__ void histogram(unsigned *bins, const unsigned *in, unsigned n) {
  __shared__ unsigned counts[16];
  if (threadIdx.x < 16)
    counts[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&counts[in[i] % 16], 1);
  __syncthreads();
  if (threadIdx.x < 16)
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

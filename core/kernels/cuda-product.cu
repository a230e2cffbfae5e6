// There is no atomic multiplication: each thread repeats CAS until no other was faster.
extern "C" __global__ void product(unsigned *result, unsigned *tries, const unsigned *factors) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned seen = *result, expected, count = 0;
  do {
    expected = seen;
    seen = atomicCAS(result, expected, expected * factors[i]);
    count++;
  } while (seen != expected);
  tries[i] = count;
}

// Counts the steps of the Collatz sequence of each number down to 1.
extern "C" __global__ void collatz(unsigned *steps, const unsigned *in) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned n = in[i], count = 0;
  while (n > 1) {
    if (n % 2 == 0)
      n /= 2;
    else
      n = 3 * n + 1;
    count++;
  }
  steps[i] = count;
}

// A function that no file defines, on a path that the recorded launch does not take.
extern "C" __global__ void guarded(int *o, int n) {
  int i = threadIdx.x;
  if (n > 100) printf("bad %d\n", n);
  o[i] = i + n;
}

// Kernels whose proposed launches need more than the first instructions of a trial run, or
// whose types have names of their own.
typedef float REAL;
typedef int COUNT;

// With 64 work-items, a and c need 64 rows of 64 elements.
kernel void rows(const int N, global float *a, global float *b, global float *c) {
  int i = get_global_id(0);
  if (i < N)
    for (int j = 0; j < N; j++) {
      float sum = 0;
      for (int k = 0; k < N; k++) sum += a[i * N + k] * b[k * N + j];
      c[i * N + j] = sum;
    }
}

// The first thread of a work-group takes longer than the trial run.
__attribute__((intel_reqd_sub_group_size(8))) kernel void
turns(const int N, global float *a, global float *c) {
  int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < N * N * N; k++) {
    sum = sum * 0.5f + a[i * 40];
    c[i * 40] = sum;
  }
}

// One buffer after the other needs 20,000 elements.
kernel void sweeps(global int *o, global int *p, global int *q) {
  for (int k = get_global_id(0); k < 20000; k += 64) o[k] = k;
  for (int k = get_global_id(0); k < 20000; k += 64) p[k] = k;
  for (int k = get_global_id(0); k < 20000; k += 64) q[k] = k;
}

// Each buffer needs trial runs of its own.
#define SWEEP(o) for (int k = get_global_id(0); k < 20000; k += 64) o[k] = k;
kernel void many(global int *a, global int *b, global int *c, global int *d, global int *e,
                 global int *f, global int *g, global int *h, global int *i, global int *j) {
  SWEEP(a) SWEEP(b) SWEEP(c) SWEEP(d) SWEEP(e) SWEEP(f) SWEEP(g) SWEEP(h) SWEEP(i) SWEEP(j)
}

// Ends only after o[0] has become 0.
kernel void endless(global volatile int *o, global int *ends) {
  o[get_global_id(0)] = 1;
  while (o[0]) {
  }
  ends[get_global_id(0)] = 1;
}

kernel void scale(global REAL *o, global REAL *x, REAL alpha, COUNT count, REAL beta) {
  int i = get_global_id(0);
  if (i < count) o[i] = alpha * x[i] + beta;
}

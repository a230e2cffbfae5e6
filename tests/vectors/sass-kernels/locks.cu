// A lock that all lanes of a warp take: the critical section inside of the loop, and behind it.
extern "C" __global__ void lock_inside(unsigned *lock, unsigned *count) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      volatile unsigned *c = count;
      *c = *c + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

extern "C" __global__ void lock_behind(unsigned *lock, unsigned *count, unsigned *order) {
  while (atomicCAS(lock, 0, 1) != 0) {}
  __threadfence();
  volatile unsigned *c = count;
  unsigned own = *c;
  *c = own + 1;
  __threadfence();
  atomicExch(lock, 0);
  order[blockIdx.x * blockDim.x + threadIdx.x] = own < gridDim.x * blockDim.x;
}

// Each lane waits for the one before it.
extern "C" __global__ void hand_over(volatile unsigned *flag, unsigned *out) {
  unsigned i = threadIdx.x;
  if (i == 0) {
    out[0] = 7;
    __threadfence();
    flag[0] = 1;
  } else {
    while (flag[i - 1] == 0) {}
    __threadfence();
    out[i] = ((volatile unsigned *)out)[i - 1] + i;
    __threadfence();
    flag[i] = 1;
  }
}

// The last lane produces, the others wait.
extern "C" __global__ void produce(volatile unsigned *flag, volatile unsigned *data, unsigned *out) {
  unsigned i = threadIdx.x;
  if (i == blockDim.x - 1) {
    for (unsigned k = 0; k < 5; k++) data[0] = data[0] + k;
    __threadfence();
    flag[0] = 1;
  } else {
    while (flag[0] == 0) {}
    __threadfence();
  }
  __syncwarp();
  out[i] = data[0] + __shfl_sync(0xffffffff, i, 3);
}

// A lock whose waiters sleep.
extern "C" __global__ void lock_asleep(unsigned *lock, unsigned *count) {
  unsigned time = 8;
  while (atomicCAS(lock, 0, 1) != 0) {
    __nanosleep(time);
    if (time < 256) time *= 2;
  }
  __threadfence();
  volatile unsigned *c = count;
  *c = *c + 1;
  __threadfence();
  atomicExch(lock, 0);
}

// planted: a read and a write past the end of a private array
kernel void k(global int *o, global const int *a, int n) {
  int i = get_global_id(0);
  int v[8], w[8];
  for (int j = 0; j < 8; j++) {
    v[j] = a[j] ^ i;
    w[j] = a[j] + i;
  }
  v[(a[i] & 7) + n] += 7;
  o[i] = v[a[i] & 7] + w[(a[i] + 1) & 7];
}

// SHA-256 of a part of the input for each work-item. The compiler of 2022 loads the last elements
// of the table as a vector of four, which reaches beyond its end.
constant uint K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0xfc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x6ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

#define R(x, n) rotate(x, (uint)(32 - n))

kernel void sha256(global uint *out, global const uchar *in) {
    int i = get_global_id(0);
    uint length = i * 3 + (i & 7);
    uint h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    uint blocks = (length + 9 + 63) / 64;
    for (uint b = 0; b < blocks; b++) {
        uint w[64];
        for (int t = 0; t < 16; t++) {
            uint word = 0;
            for (int k = 0; k < 4; k++) {
                uint p = b * 64 + t * 4 + k;
                uchar c = p < length ? in[p + i] : p == length ? 0x80 : 0;
                if (b == blocks - 1 && t >= 14)
                    c = (uchar)((ulong)length * 8 >> (8 * (63 - (t * 4 + k))));
                word = word << 8 | c;
            }
            w[t] = word;
        }
        for (int t = 16; t < 64; t++) {
            uint a = w[t - 15], c = w[t - 2];
            w[t] = w[t - 16] + (R(a, 7) ^ R(a, 18) ^ (a >> 3)) + w[t - 7] + (R(c, 17) ^ R(c, 19) ^ (c >> 10));
        }
        uint s[8];
        for (int k = 0; k < 8; k++)
            s[k] = h[k];
        for (int t = 0; t < 64; t++) {
            uint first = s[7] + (R(s[4], 6) ^ R(s[4], 11) ^ R(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + K[t] + w[t];
            uint second = (R(s[0], 2) ^ R(s[0], 13) ^ R(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
            for (int k = 7; k > 0; k--)
                s[k] = s[k - 1];
            s[4] += first;
            s[0] = first + second;
        }
        for (int k = 0; k < 8; k++)
            h[k] += s[k];
    }
    for (int k = 0; k < 8; k++)
        out[i * 8 + k] = h[k];
}

// Structures whose last bytes are padding, which the payload lacks.
typedef struct { int4 a; float b; } tail12;
typedef struct { long d; int k; } tail4;

kernel void paddings(global int *out, tail12 s, tail4 t)
{
    int i = get_global_id(0);
    out[i] = s.a.x * i + s.a.w + (int)s.b + (int)t.d + t.k;
}

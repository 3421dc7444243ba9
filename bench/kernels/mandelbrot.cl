// The twin of mandelbrot.wgsl.

struct Params {
    uint width;
    uint height;
    uint steps;
    float x0;
    float y0;
    float pixel;
};

__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void mandelbrot(__constant struct Params *params, __global uint *image) {
    uint x = get_global_id(0);
    uint y = get_global_id(1);
    if (x >= params->width || y >= params->height) {
        return;
    }
    float cx = params->x0 + (float)x * params->pixel;
    float cy = params->y0 + (float)y * params->pixel;
    float zx = 0.0f;
    float zy = 0.0f;
    uint count = 0;
    while (count < params->steps) {
        float xx = zx * zx;
        float yy = zy * zy;
        if (xx + yy > 4.0f) {
            break;
        }
        zy = 2.0f * zx * zy + cy;
        zx = xx - yy + cx;
        count++;
    }
    image[y * params->width + x] = count;
}

// The peer that runs OpenCL C on the first CPU device of any platform. It is given text and
// buffers over its standard input and knows none of the kernels; bench/README.md has the
// protocol.

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ARGS_MAX = 16, LINE_MAX_BYTES = 1024 };

// A kernel with its buffers, ready to run.
struct loaded {
    cl_program program;
    cl_kernel kernel;
    cl_uint count;
    cl_mem buffers[ARGS_MAX];
    size_t bytes[ARGS_MAX];
    size_t global[3], local[3];
};

// The host's copy of what a load brought, for cold runs.
struct contents {
    char name[64];
    char *text;
    void *bytes[ARGS_MAX];
};

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void reply(const char *text) {
    printf("%s\n", text);
    fflush(stdout);
}

static void fail(const char *what, cl_int error) {
    printf("error %s: OpenCL error %d\n", what, error);
    fflush(stdout);
    exit(1);
}

static void check(const char *what, cl_int error) {
    if (error != CL_SUCCESS) {
        fail(what, error);
    }
}

static int open_device(void) {
    cl_platform_id platforms[16];
    cl_uint count = 0;
    if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS) {
        return 0;
    }
    for (cl_uint i = 0; i < count && i < 16; i++) {
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, NULL) == CL_SUCCESS) {
            cl_int error;
            context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
            check("context", error);
            queue = clCreateCommandQueue(context, device, 0, &error);
            check("queue", error);
            return 1;
        }
    }
    return 0;
}

static void about(void) {
    char name[256] = "", version[256] = "";
    cl_uint units = 0;
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
    clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL);
    clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    printf("%s, %s, %u threads\n", version, name, units);
    fflush(stdout);
}

static void *receive(size_t bytes) {
    char *data = malloc(bytes + 1);
    if (data == NULL || fread(data, 1, bytes, stdin) != bytes) {
        reply("error the input ended early");
        exit(1);
    }
    data[bytes] = 0;
    return data;
}

// Compiles the text and puts the buffers on the device.
static void prepare(struct loaded *loaded, const struct contents *contents) {
    cl_int error;
    const char *text = contents->text;
    loaded->program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    check("program", error);
    error = clBuildProgram(loaded->program, 1, &device, "", NULL, NULL);
    if (error != CL_SUCCESS) {
        char log[16384] = "";
        clGetProgramBuildInfo(loaded->program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "%s\n", log);
        fail("build", error);
    }
    loaded->kernel = clCreateKernel(loaded->program, contents->name, &error);
    check("kernel", error);
    for (cl_uint i = 0; i < loaded->count; i++) {
        cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
        loaded->buffers[i] = clCreateBuffer(context, flags, loaded->bytes[i], contents->bytes[i], &error);
        check("buffer", error);
        check("argument", clSetKernelArg(loaded->kernel, i, sizeof(cl_mem), &loaded->buffers[i]));
    }
}

static void release(struct loaded *loaded) {
    if (loaded->kernel == NULL) {
        return;
    }
    for (cl_uint i = 0; i < loaded->count; i++) {
        clReleaseMemObject(loaded->buffers[i]);
    }
    clReleaseKernel(loaded->kernel);
    clReleaseProgram(loaded->program);
    loaded->kernel = NULL;
}

static void run(const struct loaded *loaded) {
    check("run", clEnqueueNDRangeKernel(queue, loaded->kernel, 3, NULL, loaded->global, loaded->local, 0, NULL, NULL));
    check("finish", clFinish(queue));
}

static void *fetch(const struct loaded *loaded, cl_uint buffer) {
    void *data = malloc(loaded->bytes[buffer]);
    if (data == NULL) {
        fail("memory", CL_OUT_OF_HOST_MEMORY);
    }
    check("read", clEnqueueReadBuffer(queue, loaded->buffers[buffer], CL_TRUE, 0, loaded->bytes[buffer], data, 0, NULL, NULL));
    return data;
}

// load NAME GRID×3 WORKGROUP×3 TEXT_BYTES BUFFER_BYTES…, then the text and the buffers.
static void load(struct loaded *loaded, struct contents *contents, char *words) {
    release(loaded);
    free(contents->text);
    for (cl_uint i = 0; i < loaded->count; i++) {
        free(contents->bytes[i]);
    }
    memset(loaded, 0, sizeof *loaded);
    memset(contents, 0, sizeof *contents);
    char *word = strtok(words, " \n");
    snprintf(contents->name, sizeof contents->name, "%s", word == NULL ? "" : word);
    size_t numbers[7 + ARGS_MAX] = {0};
    cl_uint count = 0;
    while ((word = strtok(NULL, " \n")) != NULL && count < 7 + ARGS_MAX) {
        numbers[count++] = strtoull(word, NULL, 10);
    }
    if (count < 7) {
        reply("error a load has at least eight words");
        exit(1);
    }
    for (int i = 0; i < 3; i++) {
        loaded->local[i] = numbers[3 + i];
        loaded->global[i] = numbers[i] * numbers[3 + i];
    }
    loaded->count = count - 7;
    contents->text = receive(numbers[6]);
    for (cl_uint i = 0; i < loaded->count; i++) {
        loaded->bytes[i] = numbers[7 + i];
        contents->bytes[i] = receive(loaded->bytes[i]);
    }
}

int main(void) {
    static struct loaded loaded;
    static struct contents contents;
    char line[LINE_MAX_BYTES];
    if (!open_device()) {
        reply("error no OpenCL platform has a CPU device");
        return 1;
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        uint64_t start, times;
        cl_uint buffer;
        if (strncmp(line, "about", 5) == 0) {
            about();
        } else if (strncmp(line, "load ", 5) == 0) {
            load(&loaded, &contents, line + 5);
            prepare(&loaded, &contents);
            reply("ok");
        } else if (strncmp(line, "cold ", 5) == 0) {
            load(&loaded, &contents, line + 5);
            start = now();
            prepare(&loaded, &contents);
            run(&loaded);
            free(fetch(&loaded, 0));
            printf("%" PRIu64 "\n", now() - start);
            fflush(stdout);
        } else if (sscanf(line, "run %" SCNu64, &times) == 1) {
            start = now();
            for (uint64_t i = 0; i < times; i++) {
                run(&loaded);
            }
            printf("%" PRIu64 "\n", now() - start);
            fflush(stdout);
        } else if (sscanf(line, "read %u", &buffer) == 1 && buffer < loaded.count) {
            void *data = fetch(&loaded, buffer);
            printf("%zu\n", loaded.bytes[buffer]);
            fwrite(data, 1, loaded.bytes[buffer], stdout);
            fflush(stdout);
            free(data);
        } else {
            reply("error not understood");
        }
    }
    return 0;
}

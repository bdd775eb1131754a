//! The folder of CUDA C++. Without a GPU the same files compile as C++ with words of the device that mean this processor.

use super::c::{DIFFERENCE, reference};
use super::{File, MARK, Unit, number};
use crate::text::{Language, Style};
use std::fmt::Write as _;

/// Instances of the check: the vectors, over and over.
const INSTANCES: usize = 1000;

pub(super) fn files(units: &[Unit], style: Style) -> Vec<File> {
    let mut out: Vec<File> = (units.iter())
        .map(|unit| unit.program.write_as(Language::Cuda, style))
        .map(|code| File::new(code.source_name, code.source))
        .collect();
    out.push(File::new("reference.h", reference(units)));
    out.push(File::new("cuda_on_cpu.h", format!("// {MARK}\n{STAND_INS}")));
    out.push(File::new("check.cu", check(units)));
    out
}

fn check(units: &[Unit]) -> String {
    let mut text = format!("// {MARK}\n{HEAD}");
    for unit in units {
        let _ = writeln!(text, "#include \"{}.cu\"", unit.program.name);
    }
    text += "#include \"reference.h\"\n#include <math.h>\n#include <stdio.h>\n#include <vector>\n\n";
    text += DIFFERENCE;
    text += COMPARE;
    text += "int main()\n{\n    double worst = 0.0;\n    bool failed = false;\n";
    for unit in units {
        let (name, p, reference) = (&unit.program.name, &unit.program, &unit.reference);
        let _ = writeln!(
            text,
            "    failed |= compared(\"{name}\", supple_{name}_all, {name}_in, {name}_out, {}, {}, {}, {}, {}, worst);",
            p.inputs.len(),
            p.outputs.len(),
            reference.vectors.len(),
            number(reference.floor, "INFINITY"),
            number(reference.allowed, "INFINITY")
        );
    }
    let _ = write!(
        text,
        "    printf(\"worst relative difference from the engine: %.3g\\n\", worst);\n    return failed ? 1 : 0;\n}}\n"
    );
    text.replace("INSTANCES", &INSTANCES.to_string())
}

const HEAD: &str = r#"//
// Compares the code in this folder with the engine that it was recorded from, many instances at once.
#ifdef __CUDACC__
#include <cuda_runtime.h>
#else
#include "cuda_on_cpu.h"
#endif
"#;

const COMPARE: &str = r#"typedef void Kernel(const real *, real *, int *, long long);

// Numbers of an instance lie `count` apart.
static bool compared(const char *name, Kernel *kernel, const double *in, const double *out, int inputs, int outputs, int vectors,
                     double least, double allowed, double &worst)
{
    long long count = INSTANCES;
    std::vector<real> x(inputs * count + 1), y(outputs * count + 1);
    std::vector<double> own(outputs + 1);
    std::vector<int> told(count);
    for (long long k = 0; k < count; k++) {
        for (int i = 0; i < inputs; i++) x[i * count + k] = in[k % vectors * inputs + i];
    }
    real *device_in, *device_out;
    int *device_status;
    cudaMalloc((void **)&device_in, x.size() * sizeof(real));
    cudaMalloc((void **)&device_out, y.size() * sizeof(real));
    cudaMalloc((void **)&device_status, told.size() * sizeof(int));
    cudaMemcpy(device_in, x.data(), x.size() * sizeof(real), cudaMemcpyHostToDevice);
    void *arguments[] = {&device_in, &device_out, &device_status, &count};
    const cudaError_t launched = cudaLaunchKernel(kernel, dim3((unsigned)((count + 127) / 128)), dim3(128), arguments, 0, 0);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaMemcpy(y.data(), device_out, y.size() * sizeof(real), cudaMemcpyDeviceToHost);
    cudaMemcpy(told.data(), device_status, told.size() * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFree(device_status);
    if (launched != cudaSuccess || done != cudaSuccess) {
        printf("%s: %s\n", name, cudaGetErrorString(launched != cudaSuccess ? launched : done));
        return true;
    }
    double mine = 0.0;
    bool failed = false;
    for (long long k = 0; k < count; k++) {
        for (int i = 0; i < outputs; i++) own[i] = y[i * count + k];
        const double d = difference(own.data(), out + k % vectors * outputs, outputs, least);
        if (!(d <= mine)) mine = d;
        if (told[k] != 0 && !failed) {
            printf("%s: status %d of instance %lld\n", name, told[k], k);
            failed = true;
        }
    }
    printf("%s: %lld instances, worst relative difference %.3g, allowed %.3g\n", name, count, mine, allowed);
    if (!(mine <= worst)) worst = mine;
    return failed || !(mine <= allowed);
}

"#;

/// Words of CUDA for a processor: the header that compiles kernels as C++.
pub const STAND_INS: &str = r#"//
// Words of CUDA that mean this processor: one thread after the other.
#ifndef SUPPLE_CUDA_ON_CPU_H
#define SUPPLE_CUDA_ON_CPU_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define __device__
#define __host__
#define __global__
#define __shared__
#define __forceinline__ inline
#define __launch_bounds__(threads)
#define __syncthreads() ((void)0)

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

static dim3 gridDim, blockDim, blockIdx, threadIdx;

enum cudaError_t { cudaSuccess, cudaErrorMemoryAllocation };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };

static inline const char *cudaGetErrorString(cudaError_t error) { return error == cudaSuccess ? "done" : "no memory"; }
static inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }

static inline cudaError_t cudaMalloc(void **memory, size_t size)
{
    *memory = malloc(size);
    return *memory ? cudaSuccess : cudaErrorMemoryAllocation;
}

static inline cudaError_t cudaFree(void *memory)
{
    free(memory);
    return cudaSuccess;
}

static inline cudaError_t cudaMemcpy(void *to, const void *from, size_t size, cudaMemcpyKind)
{
    memcpy(to, from, size);
    return cudaSuccess;
}

template <class A, class B, class C, class D>
static cudaError_t cudaLaunchKernel(void (*kernel)(A, B, C, D), dim3 grid, dim3 block, void **arguments, size_t, int)
{
    gridDim = grid;
    blockDim = block;
    for (blockIdx.x = 0; blockIdx.x < grid.x; blockIdx.x++) {
        for (threadIdx.x = 0; threadIdx.x < block.x; threadIdx.x++) {
            kernel(*(A *)arguments[0], *(B *)arguments[1], *(C *)arguments[2], *(D *)arguments[3]);
        }
    }
    return cudaSuccess;
}

#endif
"#;

// A CUDA driver and an NVRTC that mean this processor, for tests of the host side without a GPU: kernels are compiled as C++ by the header of
// stand-ins and run thread by thread. Only the calls that supple-gpu makes are here, and they check what they are given as a driver would.
//
// SUPPLE_STAND_IN_FOLDER   where cuda_on_cpu.h is and files go
// SUPPLE_STAND_IN_DEVICES  number of devices, 1 unless it says otherwise
// SUPPLE_STAND_IN_MEMORY   bytes of a device
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

enum { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 100, INVALID_DEVICE = 101, NOT_FOUND = 500 };

static std::map<unsigned long long, size_t> taken;
static size_t in_use = 0;

static std::string setting(const char *name, const char *usual)
{
    const char *value = getenv(name);
    return value ? value : usual;
}

static int devices() { return atoi(setting("SUPPLE_STAND_IN_DEVICES", "1").c_str()); }
static size_t memory() { return strtoull(setting("SUPPLE_STAND_IN_MEMORY", "4000000000").c_str(), nullptr, 10); }

// Whether so many bytes from an address on are in one piece of memory that was taken and not given back.
static bool is_taken(unsigned long long address, size_t bytes)
{
    auto after = taken.upper_bound(address);
    if (after == taken.begin()) return false;
    --after;
    return address + bytes <= after->first + after->second;
}

struct Module {
    void *library;
};

struct Function {
    void (*launch)(void **, const unsigned *);
};

struct Program {
    std::string text, log, library;
};

extern "C" {

int cuInit(unsigned) { return devices() == 0 ? NO_DEVICE : SUCCESS; }
int cuDeviceGetCount(int *count) { return *count = devices(), SUCCESS; }
int cuDeviceGet(int *device, int number) { return *device = number, number < devices() ? SUCCESS : INVALID_DEVICE; }
int cuDeviceGetName(char *name, int length, int) { return snprintf(name, (size_t)length, "stand-in"), SUCCESS; }

int cuDeviceGetAttribute(int *value, int attribute, int)
{
    switch (attribute) {
    case 13: *value = 1000000; break; // clock, kHz
    case 36: *value = 2000000; break; // that of the memory
    case 37: *value = 512; break;     // bits of its bus
    case 81: *value = 40000; break;   // shared memory of a multiprocessor
    case 97: *value = 20000; break;   // of a block
    case 16: *value = 2; break;       // multiprocessors
    case 75: *value = 9; break;       // capability
    case 76: *value = 0; break;
    default: *value = 0; break;       // no memory pools
    }
    return SUCCESS;
}

int cuDevicePrimaryCtxRetain(void **context, int) { return *context = &taken, SUCCESS; }
int cuDevicePrimaryCtxRelease_v2(int) { return SUCCESS; }
static void *current = nullptr;
int cuCtxSetCurrent(void *context) { return current = context, SUCCESS; }
int cuCtxGetCurrent(void **context) { return *context = current, SUCCESS; }
int cuStreamSynchronize(void *) { return SUCCESS; }
int cuGetErrorString(int error, const char **text)
{
    *text = error == OUT_OF_MEMORY ? "out of memory" : error == NOT_FOUND ? "named symbol not found" : "invalid argument";
    return SUCCESS;
}
int cuGetErrorName(int, const char **text) { return *text = "CUDA_ERROR", SUCCESS; }

int cuMemGetInfo_v2(size_t *free_bytes, size_t *total) { return *total = memory(), *free_bytes = memory() - in_use, SUCCESS; }

int cuMemAlloc_v2(unsigned long long *address, size_t bytes)
{
    if (bytes == 0) return INVALID_VALUE;
    if (in_use + bytes > memory()) return OUT_OF_MEMORY;
    void *piece = malloc(bytes);
    memset(piece, 0x7f, bytes);
    taken[*address = (unsigned long long)piece] = bytes;
    in_use += bytes;
    return SUCCESS;
}
int cuMemAllocAsync(unsigned long long *, size_t, void *) { return INVALID_VALUE; }

int cuMemFree_v2(unsigned long long address)
{
    auto found = taken.find(address);
    if (found == taken.end()) return INVALID_VALUE;
    in_use -= found->second;
    taken.erase(found);
    free((void *)address);
    return SUCCESS;
}
int cuMemFreeAsync(unsigned long long, void *) { return INVALID_VALUE; }

int cuMemcpyHtoDAsync_v2(unsigned long long to, const void *from, size_t bytes, void *)
{
    if (!is_taken(to, bytes)) return INVALID_VALUE;
    memcpy((void *)to, from, bytes);
    return SUCCESS;
}

int cuMemcpyDtoHAsync_v2(void *to, unsigned long long from, size_t bytes, void *)
{
    if (!is_taken(from, bytes)) return INVALID_VALUE;
    memcpy(to, (const void *)from, bytes);
    return SUCCESS;
}

int cuMemsetD8Async(unsigned long long to, unsigned char value, size_t bytes, void *)
{
    if (!is_taken(to, bytes)) return INVALID_VALUE;
    memset((void *)to, value, bytes);
    return SUCCESS;
}

// What the compiler below gives in place of PTX is the path of a library.
int cuModuleLoadData(void **module, const void *image)
{
    void *library = dlopen((const char *)image, RTLD_NOW | RTLD_LOCAL);
    if (!library) return INVALID_VALUE;
    *module = new Module{library};
    return SUCCESS;
}
int cuModuleUnload(void *module) { return delete (Module *)module, SUCCESS; }

int cuModuleGetFunction(void **function, void *module, const char *name)
{
    void *found = dlsym(((Module *)module)->library, (std::string(name) + "_launch").c_str());
    if (!found) return NOT_FOUND;
    *function = new Function{(void (*)(void **, const unsigned *))found};
    return SUCCESS;
}
int cuFuncGetAttribute(int *value, int, void *) { return *value = 0, SUCCESS; }
// Shared memory of a block, attribute 8, is what a device has at most.
static int shared = 0;
int cuFuncSetAttribute(void *, int attribute, int value)
{
    if (attribute != 8 || value > 20000) return INVALID_VALUE;
    return shared = value, SUCCESS;
}

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned bytes, void *,
                   void **arguments, void **)
{
    if (bytes > 20000 || gx == 0 || gy != 1 || gz != 1 || bx == 0 || bx > 1024 || by != 1 || bz != 1) return INVALID_VALUE;
    const unsigned sizes[] = {gx, bx};
    ((Function *)function)->launch(arguments, sizes);
    return SUCCESS;
}

int nvrtcCreateProgram(void **program, const char *text, const char *, int, const char *const *, const char *const *)
{
    *program = new Program{text, "", ""};
    return 0;
}
int nvrtcDestroyProgram(void **program) { return delete (Program *)*program, *program = nullptr, 0; }
int nvrtcGetNumSupportedArchs(int *count) { return *count = 3, 0; }
int nvrtcGetSupportedArchs(int *list) { return list[0] = 80, list[1] = 90, list[2] = 100, 0; }

// Calls a kernel of any arguments for every thread of a grid.
static const char *TRAMPOLINE = R"(
#include <utility>
template <class... A, size_t... I>
static void supple_call(void (*kernel)(A...), void **arguments, std::index_sequence<I...>) { kernel(*(A *)arguments[I]...); }
template <class... A>
static void supple_grid(void (*kernel)(A...), void **arguments, const unsigned *sizes)
{
    gridDim = dim3(sizes[0]);
    blockDim = dim3(sizes[1]);
    for (blockIdx.x = 0; blockIdx.x < sizes[0]; blockIdx.x++)
        for (threadIdx.x = 0; threadIdx.x < sizes[1]; threadIdx.x++)
            supple_call(kernel, arguments, std::index_sequence_for<A...>());
}
)";

int nvrtcCompileProgram(void *given, int count, const char *const *options)
{
    Program *program = (Program *)given;
    static int number = 0;
    std::string architecture, real = "double";
    for (int i = 0; i < count; i++) {
        const std::string option = options[i];
        if (option.rfind("--gpu-architecture=", 0) == 0) architecture = option.substr(19);
        if (option.rfind("-DSUPPLE_REAL=", 0) == 0) real = option.substr(14);
    }
    if (architecture != "compute_90") return program->log = "not the architecture of the device: " + architecture, 5;
    // NVRTC has no headers.
    if (program->text.find("#include <math.h>") != program->text.rfind("#include <math.h>")) return program->log = "more than one header", 6;
    const std::string folder = setting("SUPPLE_STAND_IN_FOLDER", ".");
    std::ostringstream path;
    path << folder << "/kernel" << getpid() << "_" << number++;
    std::ofstream file(path.str() + ".cpp");
    file << "#include \"cuda_on_cpu.h\"\n" << program->text << "alignas(8) real supple_room[20000 / sizeof(real)];\n" << TRAMPOLINE;
    // A name stands between `__global__ void`, with bounds or without, and the bracket of its arguments.
    for (size_t at = program->text.find("extern \"C\" __global__ void"); at != std::string::npos;
         at = program->text.find("extern \"C\" __global__ void", at + 1)) {
        const size_t from = program->text.find("supple_", at), to = program->text.find("(", from);
        const std::string name = program->text.substr(from, to - from);
        file << "extern \"C\" void " << name << "_launch(void **arguments, const unsigned *sizes) { supple_grid(" << name << ", arguments, sizes); }\n";
    }
    file.close();
    const std::string command = "c++ -std=c++17 -O0 -ffp-contract=off -Wall -Wextra -Werror -Wno-unused-function -Wno-unknown-pragmas -shared -fPIC -I" + folder +
                                " -DSUPPLE_REAL=" + real + " " + path.str() + ".cpp -o " + path.str() + ".so 2> " + path.str() + ".log";
    const int failed = system(command.c_str());
    std::ifstream log(path.str() + ".log");
    program->log = std::string(std::istreambuf_iterator<char>(log), std::istreambuf_iterator<char>());
    program->library = path.str() + ".so";
    return failed ? 6 : 0;
}

int nvrtcGetPTXSize(void *program, size_t *size) { return *size = ((Program *)program)->library.size() + 1, 0; }
int nvrtcGetPTX(void *program, char *text) { return strcpy(text, ((Program *)program)->library.c_str()), 0; }
int nvrtcGetProgramLogSize(void *program, size_t *size) { return *size = ((Program *)program)->log.size() + 1, 0; }
int nvrtcGetProgramLog(void *program, char *text) { return strcpy(text, ((Program *)program)->log.c_str()), 0; }
const char *nvrtcGetErrorString(int) { return "compilation"; }

} // extern "C"

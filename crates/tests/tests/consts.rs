//! A constant has the bits that the same expression has at run time, on the reference and the CPU
//! device: special values, and random bits from a seed that a failure prints (`SEAWALL_SEED=N`).

use std::env;
use std::fmt::Write;

use seawall::Runtime;
use seawall_core::program::Program;

const VALUES: usize = 64;

/// Functions of one to three floats.
const FUNCTIONS: [&[&str]; 3] = [
    &[
        "abs(A)",
        "acos(A)",
        "acosh(A)",
        "asin(A)",
        "asinh(A)",
        "atan(A)",
        "atanh(A)",
        "ceil(A)",
        "cos(A)",
        "cosh(A)",
        "degrees(A)",
        "exp(A)",
        "exp2(A)",
        "floor(A)",
        "fract(A)",
        "inverseSqrt(A)",
        "length(A)",
        "log(A)",
        "log2(A)",
        "radians(A)",
        "round(A)",
        "saturate(A)",
        "sign(A)",
        "sin(A)",
        "sinh(A)",
        "sqrt(A)",
        "tan(A)",
        "tanh(A)",
        "trunc(A)",
        "frexp(A).fract",
        "modf(A).fract",
        "modf(A).whole",
        "-A",
        "quantizeToF16(A)",
    ],
    &[
        "A + B",
        "A - B",
        "A * B",
        "A / B",
        "A % B",
        "atan2(A, B)",
        "pow(A, B)",
        "min(A, B)",
        "max(A, B)",
        "step(A, B)",
        "distance(A, B)",
        "length(vec2(A, B))",
        "normalize(vec2(A, B)).y",
        "dot(vec2(A, B), vec2(B, A))",
        "determinant(mat2x2(A, B, B, A))",
        "(mat2x2(A, B, B, A) * vec2(A, B)).x",
        "reflect(vec2(A, B), vec2(B, A)).x",
        "cross(vec3(A, B, A), vec3(B, A, A)).z",
        "ldexp(A, clamp(i32(B), -9, 9))",
        "select(A, B, A < B)",
    ],
    &[
        "fma(A, B, C)",
        "mix(A, B, C)",
        "clamp(A, min(B, C), max(B, C))",
        "smoothstep(A, B, C)",
        "faceForward(vec2(A, B), vec2(B, C), vec2(C, A)).x",
        "refract(vec2(A, B), vec2(B, C), C).y",
        "length(vec3(A, B, C))",
        "normalize(vec3(A, B, C)).x",
        "sin(vec3(A, B, C)).z",
    ],
];

/// Numbers where functions change, and random bits.
fn values(seed: u64, kind: &str) -> Vec<f32> {
    let one = 1.0_f32;
    let mut values = vec![
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        2.0,
        10.0,
        -7.5,
        0.1,
        100.0,
        1e-3,
        one.next_down(),
        -one.next_down(),
        one.next_up(),
        std::f32::consts::FRAC_PI_4,
        std::f32::consts::FRAC_PI_2,
        std::f32::consts::PI,
        2.5,
        3.5,
        1e-7,
        6.1e-5,
        60000.0,
    ];
    if kind == "f" {
        values.extend([f32::MAX, f32::MIN_POSITIVE, 1e-45, 88.5, -87.0, 1e10, 16_777_217.0]);
    }
    let mut state = seed;
    while values.len() < VALUES {
        // xorshift64*
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        let bits = (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as u32;
        let any = f32::from_bits(bits);
        // Half of them of a size that most functions take.
        let x = if values.len().is_multiple_of(2) { any } else { (bits as f32 / 4_294_967_296.0 - 0.5) * 8.0 };
        values.push(x);
    }
    let held = |x: f32| if kind == "h" { half::f16::from_f32(x).to_f32() } else { x };
    values.into_iter().map(held).filter(|x| x.is_finite()).collect()
}

/// What a kernel writes for each number in `x`.
fn run(runtime: &Runtime, text: &str, x: &[f32]) -> Vec<f32> {
    let kernel = runtime.kernel(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut y = vec![0.0_f32; x.len()];
    runtime.call(&kernel).bind("x", x).bind("y", &mut y).threads(x.len() as u32).run().unwrap();
    y
}

fn kernel(kind: &str, before: &str, result: &str) -> String {
    let enable = if kind == "h" { "enable f16;\n" } else { "" };
    format!(
        "{enable}@group(0) @binding(0) var<storage, read> x: array<f32>;\n\
         @group(0) @binding(1) var<storage, read_write> y: array<f32>;\n{before}\
         @compute @workgroup_size(16) fn main(@builtin(global_invocation_id) id: vec3u) {{\n\
         if id.x >= arrayLength(&y) {{ return; }}\nlet n = arrayLength(&x);\ny[id.x] = f32({result});\n}}\n"
    )
}

/// Compares one function at all values for which run time gives a number.
fn compare(runtime: &Runtime, kind: &str, function: &str, values: &[f32], seed: u64) -> usize {
    let ty = if kind == "h" { "f16" } else { "f32" };
    let at = |expression: &str, a: &str, b: &str, c: &str| {
        let word = |from: &str, name: char, to: &str| {
            let mut out = String::new();
            let mut before = ' ';
            for (i, ch) in from.char_indices() {
                let after = from[i + ch.len_utf8()..].chars().next().unwrap_or(' ');
                let alone = !before.is_alphanumeric() && !after.is_alphanumeric();
                if ch == name && alone {
                    out.push_str(to);
                } else {
                    out.push(ch);
                }
                before = ch;
            }
            out
        };
        word(&word(&word(expression, 'A', a), 'B', b), 'C', c)
    };
    let late = at(function, "a", "b", "c");
    let before = format!("fn f(a: {ty}, b: {ty}, c: {ty}) -> {ty} {{ return {late}; }}\n");
    let result = format!("f({ty}(x[id.x]), {ty}(x[(id.x + 7u) % n]), {ty}(x[(id.x + 12u) % n]))");
    let at_run_time = run(runtime, &kernel(kind, &before, &result), values);

    let literal = |i: usize| format!("({:e}{kind})", values[i % values.len()]);
    let early = |i: usize| at(function, &literal(i), &literal(i + 7), &literal(i + 12));
    // A constant is refused where a part on the way is no number, though the whole may be one.
    let parts = function.contains("vec") || function.contains("mat") || function.contains(", C");
    let accepted = |i: usize| {
        let enable = if kind == "h" { "enable f16;\n" } else { "" };
        let text = format!("{enable}const T = {};\n@compute @workgroup_size(1) fn main() {{}}\n", early(i));
        let program = Program::wgsl(&text);
        assert!(parts || program.is_ok(), "SEAWALL_SEED={seed}: {}", program.unwrap_err());
        program.is_ok()
    };
    let known: Vec<usize> = (0..values.len()).filter(|&i| at_run_time[i].is_finite() && accepted(i)).collect();
    let mut table = format!("const T = array<{ty}, {}>(\n", known.len());
    for &i in &known {
        let _ = writeln!(table, "{},", early(i));
    }
    table.push_str(");\n");
    let at_first = run(runtime, &kernel(kind, &table, "T[min(id.x, n)]"), &vec![0.0; known.len()]);
    for (&i, constant) in known.iter().zip(at_first) {
        let (late, text) = (at_run_time[i], early(i));
        let same = constant.to_bits() == late.to_bits();
        assert!(same, "SEAWALL_SEED={seed}: {text} is {constant:e} as a constant, {late:e} at run time");
    }
    known.len()
}

fn all(device: &str) {
    let seed = env::var("SEAWALL_SEED").ok().map_or(0x5eed, |text| text.parse().expect("SEAWALL_SEED is a number"));
    let runtime = Runtime::builder().device(device).open().unwrap();
    for kind in ["f", "h"] {
        let values = values(seed, kind);
        for function in FUNCTIONS.iter().copied().flatten() {
            // It is a function of f32 alone.
            if kind == "h" && function.contains("quantize") {
                continue;
            }
            let compared = compare(&runtime, kind, function, &values, seed);
            assert!(compared > 3, "SEAWALL_SEED={seed}: {function} of {kind} was compared {compared} times only");
        }
    }
}

#[test]
fn constants_are_what_the_reference_computes() {
    all("reference");
}

#[test]
fn constants_are_what_the_cpu_computes() {
    all("cpu");
}

//! error[no-entry-point] no compute entry point
@vertex
fn main() -> @builtin(position) vec4f {
    return vec4f(0);
}

@vertex
fn main() -> @builtin(position) vec4f { //~ error[no-entry-point] no compute entry point
    return vec4f(0);
}

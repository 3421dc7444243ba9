//! A picture of overlapping discs, drawn from large squares to small ones: a square that is the same
//! all over is painted at once, any other is pushed to the queue again as four smaller ones. Where the
//! work is, is known to the device alone.
//!
//! ```text
//! cargo run --release -p seawall --example subdivide -- discs.pgm
//! ```

use seawall::{Graph, Overrides, Runtime, queue};

/// Pixels in a row, and rows.
const SIDE: usize = 512;

/// Squares that it begins with are as wide as this.
const FIRST: usize = 64;

const WGSL: &str = "
// A corner, and a side.
alias Square = vec4<u32>;

// A middle, and a radius.
@group(0) @binding(0) var<storage, read> discs: array<vec4<i32>>;
@group(0) @binding(1) var<storage, read_write> picture: array<u32>;

const SIDE = 512u;

@compute @workgroup_size(32)
fn paint(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= squares_len() { return; }
    let square = squares_item(id.x);
    let low = vec2<i32>(square.xy);
    let high = low + vec2(i32(square.z) - 1);
    var shade = 0u;
    var cut = false;
    for (var i = 0u; i < arrayLength(&discs); i += 1u) {
        let disc = discs[i];
        // The pixels of the square that are nearest to the middle, and furthest from it.
        let near = clamp(disc.xy, low, high) - disc.xy;
        let far = max(abs(low - disc.xy), abs(high - disc.xy));
        let reach = disc.z * disc.z;
        let inside = far.x * far.x + far.y * far.y <= reach;
        shade += u32(inside);
        cut |= !inside && near.x * near.x + near.y * near.y <= reach;
    }
    if cut {
        let half = square.z / 2u;
        for (var i = 0u; i < 4u; i += 1u) {
            squares_push(Square(square.xy + half * vec2(i % 2u, i / 2u), half, 0u));
        }
        return;
    }
    for (var y = square.y; y < square.y + square.z; y += 1u) {
        for (var x = square.x; x < square.x + square.z; x += 1u) { picture[y * SIDE + x] = shade; }
    }
}
";

fn discs() -> Vec<[i32; 4]> {
    let one = |i: i32| [(i * 197) % 512, (i * 331 + 40) % 512, 20 + (i * 53) % 130, 0];
    (0..24).map(one).collect()
}

fn draw(discs: &[[i32; 4]]) -> Result<(Vec<u32>, queue::Drained), seawall::Error> {
    let runtime = Runtime::new()?;
    let program = queue::program(WGSL, &[("squares", "Square")])?;
    let paint = program.kernel("paint", &Overrides::new())?;
    let row = (0..SIDE).step_by(FIRST);
    let first: Vec<[u32; 4]> =
        row.clone().flat_map(|y| row.clone().map(move |x| [x as u32, y as u32, FIRST as u32, 0])).collect();
    let mut graph = Graph::new();
    graph.input::<[i32; 4]>("discs", discs.len()).output::<u32>("picture", SIDE * SIDE);
    graph.queue::<[u32; 4]>("squares", 1 << 16).window(1 << 14).initial(first.len());
    graph.drain("squares of one size", &["squares"], |body| {
        let mut wave = body.wave("paint", &paint);
        wave.queue("squares", "squares").bind("discs", "discs").bind("picture", "picture").items("squares");
    });
    let mut picture = vec![0u32; SIDE * SIDE];
    let compiled = runtime.compile(&graph)?;
    let call = compiled.call().bind("squares", &first).bind("discs", discs);
    let finished = call.bind("picture", &mut picture).run()?;
    let drained = finished.queue("squares").expect("the graph has it");
    Ok((picture, drained))
}

/// Pixel by pixel.
fn on_host(discs: &[[i32; 4]]) -> Vec<u32> {
    let shade = |(x, y): (i32, i32)| {
        let covers = |&&[a, b, r, _]: &&[i32; 4]| (x - a).pow(2) + (y - b).pow(2) <= r * r;
        discs.iter().filter(covers).count() as u32
    };
    (0..SIDE * SIDE).map(|at| shade(((at % SIDE) as i32, (at / SIDE) as i32))).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let discs = discs();
    let (picture, drained) = draw(&discs)?;
    assert_eq!(picture, on_host(&discs));
    println!("{} pixels, {drained:?}", picture.len());
    if let Some(path) = std::env::args_os().nth(1) {
        let mut file = format!("P5 {SIDE} {SIDE} 255\n").into_bytes();
        file.extend(picture.iter().map(|shade| (255 - 28 * shade.min(&9)) as u8));
        std::fs::write(path, file)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_is_right() -> Result<(), seawall::Error> {
        let (picture, drained) = draw(&discs())?;
        assert_eq!(picture, on_host(&discs()));
        assert!(drained.items < (SIDE * SIDE / 2) as u64, "most pixels are painted by large squares: {drained:?}");
        Ok(())
    }
}

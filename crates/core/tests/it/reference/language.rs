//! Control flow, calls, pointers and composites.

use super::support::run;

#[test]
fn scalars_and_builtin_inputs() {
    let wgsl = "
        struct In { @builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32> }
        @group(0) @binding(0) var<storage, read> x: array<u32>;
        @group(0) @binding(1) var<storage, read_write> out: array<u32>;
        @compute @workgroup_size(2)
        fn main(@builtin(global_invocation_id) id: vec3<u32>, in: In, @builtin(local_invocation_index) i: u32) {
            out[id.x] = x[id.x] * 1000u + in.group.x * 100u + in.groups.x * 10u + i;
        }";
    assert_eq!(run(wgsl, 2, &[("x", &[1, 2, 3, 4]), ("out", &[0; 4])]), [1020, 2021, 3120, 4121]);
}

#[test]
fn every_form_of_control_flow() {
    let wgsl = "
        @group(0) @binding(0) var<storage, read_write> out: array<u32>;
        fn pick(i: u32) -> u32 {
            switch i {
                case 0, 1: { return 7u; }
                case 2: { if i == 2u { break; } return 9u; }
                default: { return 8u; }
            }
            return 6u;
        }
        fn sum(n: u32) -> u32 {
            var s = 0u;
            for (var i = 0u; i < n; i++) {
                if i == 2u { continue; }
                switch i { case 5: { continue; } default: {} }
                s += i;
            }
            return s;
        }
        fn until(n: u32) -> u32 {
            var i = 0u;
            loop {
                if i > 100u { break; }
                continuing { i += 3u; break if i >= n; }
            }
            return i;
        }
        @compute @workgroup_size(1)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) {
            var w = 0u;
            while w * w < id.x * 10u { w++; }
            out[id.x] = pick(id.x) * 10000u + sum(id.x * 2u) * 100u + until(id.x * 4u) * 10u + w;
        }";
    let expected = (0..4u32).map(|x| {
        let pick = [7, 7, 6, 8][x as usize];
        let sum: u32 = (0..x * 2).filter(|&i| i != 2 && i != 5).sum();
        let until = (1..9).map(|i| i * 3).find(|&i| i >= x * 4).unwrap();
        let w = (0..9).find(|w| w * w >= x * 10).unwrap();
        pick * 10000 + sum * 100 + until * 10 + w
    });
    assert_eq!(run(wgsl, 4, &[("out", &[0; 4])]), expected.collect::<Vec<_>>());
}

#[test]
fn pointers_reach_components_columns_and_callers() {
    let wgsl = "
        struct S { a: u32, v: vec3<u32>, m: mat2x3<f32>, tail: array<vec2<u32>, 2> }
        @group(0) @binding(0) var<storage, read_write> out: array<u32>;
        var<private> p: array<u32, 2> = array(5u, 6u);
        fn bump(x: ptr<function, u32>, by: u32) -> u32 { let old = *x; *x += by; return old; }
        fn private_bump(x: ptr<private, u32>) { *x *= 10u; }
        @compute @workgroup_size(1)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) {
            var s: S;
            s.v.y = 3u;
            let column = &s.m[1];
            (*column)[id.x + 1u] = 4.0;
            s.m[0] = vec3(1.0, 2.0, 3.0);
            s.tail[id.x].y = 9u;
            let old = bump(&s.a, 2u) + bump(&s.a, 3u);
            let copy = s;
            s.a = 100u;
            private_bump(&p[id.x]);
            let i = id.x * 8u;
            out[i] = old;
            out[i + 1u] = copy.a + copy.v.y;
            out[i + 2u] = u32(copy.m[1][id.x + 1u] + copy.m[0].z);
            out[i + 3u] = copy.tail[id.x].y;
            out[i + 4u] = p[0] * 100u + p[1];
            var grid: array<array<u32, 3>, 2>;
            grid[1][2] = 1u;
            out[i + 5u] = grid[id.x][2];
        }";
    let out = run(wgsl, 2, &[("out", &[0; 16])]);
    assert_eq!(out, [2, 8, 7, 9, 5006, 0, 0, 0, 2, 8, 7, 9, 560, 1, 0, 0]);
}

#[test]
fn atomics_of_every_kind() {
    let wgsl = "
        @group(0) @binding(0) var<storage, read_write> a: array<atomic<u32>, 8>;
        @group(0) @binding(1) var<storage, read_write> i: atomic<i32>;
        @group(0) @binding(2) var<storage, read_write> out: array<u32>;
        @compute @workgroup_size(4)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) {
            atomicAdd(&a[0], id.x);
            atomicSub(&a[1], 1u);
            atomicMax(&a[2], id.x * 3u);
            atomicMin(&a[3], 10u - id.x);
            atomicAnd(&a[4], ~(1u << id.x));
            atomicOr(&a[5], 1u << id.x);
            atomicXor(&a[6], 3u << id.x);
            atomicMin(&i, -i32(id.x));
            let won = atomicCompareExchangeWeak(&a[7], 0u, id.x + 1u);
            out[id.x] = won.old_value * 10u + select(0u, 1u, won.exchanged);
            if id.x == 3u { out[8] = atomicExchange(&a[7], 77u); atomicStore(&i, atomicLoad(&i) * 2); }
        }";
    let mut buffers = [("a", vec![0, 100, 0, 99, !0, 0, 0, 0]), ("i", vec![5]), ("out", vec![0; 9])];
    let control = seawall_core::device::Control::default();
    super::support::try_run(wgsl, [2, 1, 1], &mut buffers, None, &control).unwrap();
    let [(_, a), (_, i), (_, out)] = buffers;
    let xor = (0..8).fold(0, |x, id| x ^ (3 << id));
    assert_eq!(a, [28, 92, 21, 3, 0xffff_ff00, 0xff, xor, 77]);
    assert_eq!(i, [(-7i32) as u32]);
    assert_eq!(out, [1, 10, 10, 10, 770, 770, 770, 770, 1]);
}

#[test]
fn atomics_of_other_widths() {
    let wgsl = "
        struct A { f: atomic<f32>, g: atomic<f32>, i: atomic<i64>, u: atomic<u64> }
        @group(0) @binding(0) var<storage, read_write> a: A;
        @group(0) @binding(1) var<storage, read_write> out: array<u32>;
        @compute @workgroup_size(4)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) {
            atomicAdd(&a.f, 0.5);
            let old = atomicExchange(&a.g, f32(id.x));
            atomicMin(&a.i, -i64(id.x) * 0x100000000li);
            atomicAdd(&a.u, 0x80000001lu);
            out[id.x] = u32(old);
        }";
    let mut buffers = [("a", vec![0; 6]), ("out", vec![9; 8])];
    let control = seawall_core::device::Control::default();
    super::support::try_run(wgsl, [2, 1, 1], &mut buffers, None, &control).unwrap();
    assert_eq!(buffers[0].1, [4f32.to_bits(), 7f32.to_bits(), 0, -7i32 as u32, 8, 4]);
    assert_eq!(buffers[1].1, [0, 0, 1, 2, 3, 4, 5, 6]);
}

#[test]
fn deep_nesting_and_long_chains() {
    let arms: Vec<String> = (0..240).map(|i| format!("else if x == {i}u {{ y = {}u; }}", i * 2)).collect();
    let arms = arms.join(" ");
    let calls: Vec<String> =
        (1..200).map(|i| format!("fn f{i}(x: u32) -> u32 {{ return f{}(x) + 1u; }}", i - 1)).collect();
    let calls = calls.join("\n");
    let sum = vec!["x"; 400].join(" + ");
    let wgsl = format!(
        "@group(0) @binding(0) var<storage, read_write> out: array<u32>;
        fn f0(x: u32) -> u32 {{ return x; }}
        {calls}
        @compute @workgroup_size(1)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
            let x = id.x + 235u;
            var y = 0u;
            if x == 1000u {{ y = 1u; }} {arms} else {{ y = 5u; }}
            out[id.x] = y * 1000000u + f199(x) * 1000u + ({sum}) % 1000u;
        }}"
    );
    let expected: Vec<u32> =
        (235..242).map(|x| if x < 240 { x * 2 } else { 5 } * 1_000_000 + (x + 199) * 1000 + x * 400 % 1000).collect();
    assert_eq!(run(&wgsl, 7, &[("out", &[0; 7])]), expected);
}

//! Random loops, run and compared with a loop over lanes.

use std::collections::{BTreeMap, HashMap, HashSet};

use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Module, default_libcall_names};

use super::{Block, Code, write};
use crate::clif;
use crate::ir::{Address, Binary, Label, Mem, Ty, Unary, Value};
use crate::leaf::{Counter, Does, Leaf, Pointer, Step};

/// Words that each pointer can reach.
const REACH: usize = 4096;

/// Small numbers from a seed (SplitMix64).
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % n as u64) as usize
    }

    fn word(&mut self, ty: Ty) -> u32 {
        let small = self.below(2001) as f32 - 1000.0;
        if ty == Ty::F32 { (small / 64.0).to_bits() } else { small as i32 as u32 }
    }
}

/// A loop with all that it is run on.
#[derive(Clone)]
struct Case {
    leaf: Leaf,
    width: u32,
    memory: Vec<u32>,
    lanes: Vec<Vec<u32>>,
}

fn case(seed: u64) -> Case {
    let mut rng = Rng(seed);
    let ty = if rng.below(2) == 0 { Ty::F32 } else { Ty::U32 };
    let width = 8 << rng.below(2);
    let (carried, inputs, pointers) = (1 + rng.below(4), rng.below(12), 1 + rng.below(7));
    let mut values = (0..).map(Value);
    let mut new = |count: usize| values.by_ref().take(count).collect::<Vec<_>>();
    let (params, inputs) = (new(carried), new(inputs));
    let mut known: Vec<Value> = params.iter().chain(&inputs).copied().collect();
    let even: HashSet<Value> = inputs.iter().copied().filter(|_| rng.below(2) == 0).collect();
    let mut leaf = Leaf {
        label: Label(0),
        turns: 1 + rng.below(20) as u32,
        carried: Vec::new(),
        init: vec![(Value(0), ty); carried],
        counter: Counter { param: Value(900), first: 0, step: 1 },
        counters: BTreeMap::new(),
        inputs,
        pointers: Vec::new(),
        steps: Vec::new(),
        even,
        exit: (Label(1), Vec::new()),
    };
    for _ in 0..pointers {
        let at = Address { memory: Mem(0), offset: 0, terms: Vec::new() };
        leaf.pointers.push(Pointer { at, advance: 4 * rng.below(40) as u32 });
    }
    for _ in 0..1 + rng.below(24) {
        let value = new(1)[0];
        let pick = |rng: &mut Rng| known[rng.below(known.len())];
        let does = match rng.below(10) {
            0..=2 => {
                let (pointer, row) = (rng.below(pointers), rng.below(2) == 0);
                Does::Load { pointer, offset: 4 * rng.below(100) as u32, row }
            }
            3 if ty == Ty::F32 => Does::Unary(Unary::Sqrt, pick(&mut rng)),
            4 | 5 if ty == Ty::F32 => Does::Fused(pick(&mut rng), pick(&mut rng), pick(&mut rng)),
            _ => {
                use Binary::{Add, And, Div, Max, Min, Mul, Or, Sub, Xor};
                let ops = if ty == Ty::F32 { [Add, Sub, Mul, Div, Min, Max] } else { [Add, Sub, Mul, And, Or, Xor] };
                Does::Binary(ops[rng.below(6)], pick(&mut rng), pick(&mut rng))
            }
        };
        let step = Step { value, ty, does };
        let scalar = match does {
            Does::Load { row, .. } => !row,
            Does::Unary(..) | Does::Binary(..) | Does::Fused(..) => {
                step.operands().all(|operand| leaf.even.contains(&operand))
            }
        };
        if scalar {
            leaf.even.insert(value);
        }
        leaf.steps.push(step);
        known.push(value);
    }
    for &param in &params {
        let next = leaf.steps[rng.below(leaf.steps.len())].value;
        leaf.carried.push((param, if rng.below(8) == 0 { param } else { next }));
    }
    let memory = (0..pointers * REACH).map(|_| rng.word(ty)).collect();
    let all = params.iter().chain(&leaf.inputs).copied().collect::<Vec<_>>();
    let lanes = all
        .into_iter()
        .map(|value| {
            let same = rng.word(ty);
            (0..width).map(|_| if leaf.even.contains(&value) { same } else { rng.word(ty) }).collect()
        })
        .collect();
    Case { leaf, width, memory, lanes }
}

/// What the lanes are left with.
fn expected(case: &Case) -> Vec<Vec<u32>> {
    let leaf = &case.leaf;
    let mut values: HashMap<Value, Vec<u32>> = HashMap::new();
    let names = leaf.carried.iter().map(|&(param, _)| param).chain(leaf.inputs.iter().copied());
    values.extend(names.zip(case.lanes.iter().cloned()));
    for turn in 0..leaf.turns {
        for step in &leaf.steps {
            let lane = |lane: usize| {
                let of = |value: Value| values[&value][lane];
                match step.does {
                    Does::Load { pointer, offset, row } => {
                        let bytes = turn * leaf.pointers[pointer].advance + offset;
                        case.memory[pointer * REACH + bytes as usize / 4 + if row { lane } else { 0 }]
                    }
                    Does::Unary(_, a) => f32::from_bits(of(a)).sqrt().to_bits(),
                    Does::Binary(op, a, b) if step.ty == Ty::F32 => float(op, of(a), of(b)),
                    Does::Binary(op, a, b) => word(op, of(a), of(b)),
                    Does::Fused(a, b, c) => {
                        let [a, b, c] = [a, b, c].map(|operand| f32::from_bits(of(operand)));
                        a.mul_add(b, c).to_bits()
                    }
                }
            };
            let lanes = (0..case.width as usize).map(lane).collect();
            values.insert(step.value, lanes);
        }
        let next: Vec<_> = leaf.carried.iter().map(|(param, next)| (*param, values[next].clone())).collect();
        values.extend(next);
    }
    leaf.carried.iter().map(|(param, _)| values[param].clone()).collect()
}

fn float(op: Binary, a: u32, b: u32) -> u32 {
    let (a, b) = (f32::from_bits(a), f32::from_bits(b));
    let result = match op {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::Div => a / b,
        Binary::Min if b < a => b,
        Binary::Max if a < b => b,
        _ => a,
    };
    result.to_bits()
}

fn word(op: Binary, a: u32, b: u32) -> u32 {
    match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::And => a & b,
        Binary::Or => a | b,
        _ => a ^ b,
    }
}

/// Runs a loop's code.
fn run(code: &Code, case: &Case) -> Vec<Vec<u32>> {
    let isa = crate::compile::target().unwrap();
    let builder = JITBuilder::with_isa(isa.any().clone(), default_libcall_names());
    let mut module = JITModule::new(builder);
    let id = module.declare_anonymous_function(&clif::leaf_signature()).unwrap();
    module.define_function_bytes(id, 32, &code.bytes, &[]).unwrap();
    module.finalize_definitions().unwrap();
    let block = Block::of(&case.leaf, case.width);
    let mut words = vec![0_u32; block.bytes(&case.leaf) as usize / 4];
    for i in 0..case.leaf.pointers.len() {
        let pointer = case.memory[i * REACH..].as_ptr() as u64;
        let at = block.pointer(i) as usize / 4;
        words[at..at + 2].copy_from_slice(&[pointer as u32, (pointer >> 32) as u32]);
    }
    let at = |i: usize| block.lanes(i) as usize / 4..block.lanes(i) as usize / 4 + case.width as usize;
    for (i, lanes) in case.lanes.iter().enumerate() {
        words[at(i)].copy_from_slice(lanes);
    }
    let pointer = module.get_finalized_function(id);
    // SAFETY: the code was written with this signature, and lives until `free_memory`. It reads
    // `memory` no further than each pointer reaches, and `words`, where it also writes.
    unsafe {
        let function = std::mem::transmute::<*const u8, extern "sysv64" fn(*mut u32)>(pointer);
        function(words.as_mut_ptr());
        module.free_memory();
    }
    (0..case.leaf.carried.len()).map(|i| words[at(i)].to_vec()).collect()
}

/// Any NaN is as good as any other.
fn same(case: &Case, a: &[Vec<u32>], b: &[Vec<u32>]) -> bool {
    let float = case.leaf.init[0].1 == Ty::F32;
    let nan = |word: u32| float && f32::from_bits(word).is_nan();
    a.iter().flatten().zip(b.iter().flatten()).all(|(&a, &b)| a == b || nan(a) && nan(b))
}

fn machine_has_it() -> bool {
    use std::arch::is_x86_feature_detected as has;
    let all = has!("avx2") && has!("fma");
    if !all {
        eprintln!("skipped: this processor has no AVX2 or no FMA, so that nothing can be run");
    }
    all
}

#[test]
fn random_loops_do_what_a_loop_over_lanes_does() {
    let (mut written, mut refused, can_run) = (0, 0, machine_has_it());
    for seed in 0..600 {
        let case = case(seed);
        let Some(code) = write(&case.leaf, case.width) else {
            refused += 1;
            continue;
        };
        written += 1;
        if can_run {
            let (got, want) = (run(&code, &case), expected(&case));
            assert!(same(&case, &got, &want), "seed {seed}: {got:?}, not {want:?}\n{}", code.text);
        }
    }
    assert!(written > 300 && refused > 20, "{written} written, {refused} refused");
}

/// Were the answers the same with these, nothing would test what they change.
#[test]
fn other_loops_do_something_else() {
    if !machine_has_it() {
        return;
    }
    let changes: [fn(&mut Leaf); 4] = [
        |leaf| leaf.turns += 1,
        |leaf| leaf.pointers.iter_mut().for_each(|pointer| pointer.advance += 4),
        |leaf| {
            leaf.steps.iter_mut().for_each(|step| match &mut step.does {
                Does::Load { row, .. } => *row = !*row,
                Does::Unary(..) | Does::Binary(..) | Does::Fused(..) => {}
            })
        },
        |leaf| {
            leaf.steps.iter_mut().for_each(|step| match &mut step.does {
                Does::Binary(_, a, b) => std::mem::swap(a, b),
                Does::Load { .. } | Does::Unary(..) | Does::Fused(..) => {}
            })
        },
    ];
    for (i, change) in changes.into_iter().enumerate() {
        let differs = (0..200).filter(|&seed| {
            let case = case(seed);
            let mut other = case.clone();
            change(&mut other.leaf);
            let code = write(&other.leaf, other.width);
            code.is_some_and(|code| !same(&case, &run(&code, &case), &expected(&case)))
        });
        assert!(differs.count() > 20, "change {i}");
    }
}

#[test]
fn too_many_pointers_are_refused() {
    let mut case = case(1);
    let one = case.leaf.pointers[0].clone();
    case.leaf.pointers = vec![one; 8];
    assert!(write(&case.leaf, case.width).is_none());
    assert!(write(&case.leaf, 4).is_none());
}

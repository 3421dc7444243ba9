//! Where the members of random structs lie: what a kernel writes stands at the bytes that WGSL's
//! rules give, and what stands there it reads, on every device and from storage and uniform
//! memory. The rules are written down here once more, as plainly as the specification has them.
//!
//! `SEAWALL_LAYOUTS=N` tries so many, `SEAWALL_SEED=X` starts at another seed: a failure says
//! which one replays it.

use std::env;
use std::fmt::Write as _;

use half::f16;
use seawall::Runtime;
use seawall_tests::kernels::rng::Rng;

const LAYOUTS: u64 = 60;
const SEED: u64 = 1;
/// What was there before and must still be there between members.
const PADDING: u8 = 0xee;
const LEAVES_MAX: usize = 300;

#[derive(Clone, Copy, PartialEq)]
enum Scalar {
    U32,
    I32,
    F32,
    F16,
}

impl Scalar {
    fn name(self) -> &'static str {
        match self {
            Self::U32 => "u32",
            Self::I32 => "i32",
            Self::F32 => "f32",
            Self::F16 => "f16",
        }
    }

    fn bytes(self) -> u32 {
        if self == Self::F16 { 2 } else { 4 }
    }

    /// A small number, as it stands in memory.
    fn encode(self, value: u16) -> Vec<u8> {
        match self {
            Self::U32 => u32::from(value).to_le_bytes().to_vec(),
            Self::I32 => i32::from(value).to_le_bytes().to_vec(),
            Self::F32 => f32::from(value).to_le_bytes().to_vec(),
            Self::F16 => f16::from_f32(value.into()).to_le_bytes().to_vec(),
        }
    }
}

#[derive(Clone)]
enum Ty {
    Scalar(Scalar),
    Atomic,
    Vector(u32, Scalar),
    Matrix(u32, u32, Scalar),
    /// `None` is runtime-sized.
    Array(Box<Ty>, Option<u32>),
    Struct(usize),
}

struct Member {
    ty: Ty,
    align: Option<u32>,
    size: Option<u32>,
}

/// Structs, each made of those before it; the last is what the buffers hold.
struct Types {
    structs: Vec<Vec<Member>>,
    /// Elements of the runtime-sized array at the end.
    tail_len: u32,
}

/// The rules of "Alignment and Size" and "Structure Layout Rules".
impl Types {
    fn align_of(&self, ty: &Ty) -> u32 {
        match ty {
            Ty::Scalar(scalar) => scalar.bytes(),
            Ty::Atomic => 4,
            Ty::Vector(2, scalar) | Ty::Matrix(_, 2, scalar) => 2 * scalar.bytes(),
            Ty::Vector(_, scalar) | Ty::Matrix(_, _, scalar) => 4 * scalar.bytes(),
            Ty::Array(element, _) => self.align_of(element),
            Ty::Struct(index) => self.structs[*index].iter().map(|member| self.align_of_member(member)).max().unwrap(),
        }
    }

    fn size_of(&self, ty: &Ty) -> u32 {
        match ty {
            Ty::Scalar(scalar) => scalar.bytes(),
            Ty::Atomic => 4,
            Ty::Vector(len, scalar) => len * scalar.bytes(),
            Ty::Matrix(columns, rows, scalar) => {
                self.size_of(&Ty::Array(Ty::Vector(*rows, *scalar).into(), Some(*columns)))
            }
            Ty::Array(element, len) => len.unwrap_or(self.tail_len) * self.stride_of(element),
            Ty::Struct(index) => {
                let (offset, last) = self.offsets(*index).pop().unwrap();
                (offset + self.size_of_member(last)).next_multiple_of(self.align_of(ty))
            }
        }
    }

    fn stride_of(&self, element: &Ty) -> u32 {
        self.size_of(element).next_multiple_of(self.align_of(element))
    }

    fn align_of_member(&self, member: &Member) -> u32 {
        member.align.unwrap_or_else(|| self.align_of(&member.ty))
    }

    fn size_of_member(&self, member: &Member) -> u32 {
        member.size.unwrap_or_else(|| self.size_of(&member.ty))
    }

    fn offsets(&self, index: usize) -> Vec<(u32, &Member)> {
        let mut past = 0_u32;
        let place = |member| {
            let offset = past.next_multiple_of(self.align_of_member(member));
            past = offset + self.size_of_member(member);
            (offset, member)
        };
        self.structs[index].iter().map(place).collect()
    }

    /// "Address Space Layout Constraints"
    fn fits_uniform(&self, ty: &Ty) -> bool {
        let required = |ty: &Ty| match ty {
            Ty::Array(..) | Ty::Struct(_) => self.align_of(ty).next_multiple_of(16),
            _ => self.align_of(ty),
        };
        match ty {
            Ty::Scalar(_) | Ty::Vector(..) | Ty::Matrix(..) => true,
            Ty::Atomic | Ty::Array(_, None) => false,
            Ty::Array(element, Some(_)) => self.stride_of(element).is_multiple_of(16) && self.fits_uniform(element),
            Ty::Struct(index) => {
                let offsets = self.offsets(*index);
                let apart = offsets.windows(2).all(|pair| {
                    let [(offset, member), (next, _)] = pair else { unreachable!() };
                    !matches!(member.ty, Ty::Struct(_))
                        || next - offset >= self.size_of(&member.ty).next_multiple_of(16)
                });
                let aligned = |(offset, member): &(u32, &Member)| {
                    offset.is_multiple_of(required(&member.ty)) && self.fits_uniform(&member.ty)
                };
                apart && offsets.iter().all(aligned)
            }
        }
    }

    /// Every number in a value: how to name it, where it lies and what it is.
    fn leaves(&self, ty: &Ty, path: &str, at: u32, found: &mut Vec<(String, u32, Ty)>) {
        match ty {
            Ty::Scalar(_) | Ty::Atomic => found.push((path.to_owned(), at, ty.clone())),
            Ty::Vector(len, scalar) => {
                for i in 0..*len {
                    let name = format!("{path}.{}", ["x", "y", "z", "w"][i as usize]);
                    found.push((name, at + i * scalar.bytes(), Ty::Scalar(*scalar)));
                }
            }
            Ty::Matrix(columns, rows, scalar) => {
                let columns = Ty::Array(Ty::Vector(*rows, *scalar).into(), Some(*columns));
                self.leaves(&columns, path, at, found);
            }
            Ty::Array(element, len) => {
                for i in 0..len.unwrap_or(self.tail_len) {
                    self.leaves(element, &format!("{path}[{i}]"), at + i * self.stride_of(element), found);
                }
            }
            Ty::Struct(index) => {
                for (i, (offset, member)) in self.offsets(*index).into_iter().enumerate() {
                    self.leaves(&member.ty, &format!("{path}.m{i}"), at + offset, found);
                }
            }
        }
    }
}

/// What chance makes of types and of their text.
struct Random(Rng);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0.below(n as usize) as u64
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn scalar(&mut self) -> Scalar {
        [Scalar::U32, Scalar::I32, Scalar::F32, Scalar::F16][self.below(4) as usize]
    }

    fn side(&mut self) -> u32 {
        2 + self.below(3) as u32
    }

    /// A type that may hold the structs so far.
    fn ty(&mut self, structs: usize, depth: u32) -> Ty {
        match self.below(if depth == 0 { 5 } else { 9 }) {
            0 => Ty::Scalar(self.scalar()),
            1 => Ty::Atomic,
            2 | 3 => Ty::Vector(self.side(), self.scalar()),
            4 => Ty::Matrix(self.side(), self.side(), [Scalar::F32, Scalar::F16][self.below(2) as usize]),
            5 | 6 => Ty::Array(self.ty(structs, depth - 1).into(), Some(1 + self.below(3) as u32)),
            _ if structs == 0 => Ty::Scalar(self.scalar()),
            _ => Ty::Struct(self.below(structs as u64) as usize),
        }
    }

    fn types(&mut self) -> Types {
        let plain = self.one_in(2);
        let mut types = Types { structs: Vec::new(), tail_len: 0 };
        let count = 1 + self.below(4) as usize;
        for index in 0..count {
            let last = index + 1 == count;
            let mut members = Vec::new();
            for _ in 0..=self.below(4) {
                let ty = match self.ty(index, 2) {
                    // Only half of them may stand in no uniform buffer.
                    Ty::Atomic if plain => Ty::Scalar(Scalar::U32),
                    ty => ty,
                };
                let (own, bytes) = (types.align_of(&ty), types.size_of(&ty));
                let align = self.one_in(3).then(|| own << self.below(5));
                let size = self.one_in(5).then(|| bytes + self.below(40) as u32);
                members.push(Member { ty, align, size });
            }
            if last && self.one_in(4) {
                let element = match self.ty(index, 1) {
                    // GPUs bind whole words.
                    Ty::Scalar(_) => Ty::Atomic,
                    ty => ty,
                };
                let align = self.one_in(3).then(|| types.align_of(&element) << self.below(5));
                members.push(Member { ty: Ty::Array(element.into(), None), align, size: None });
            }
            types.structs.push(members);
        }
        types
    }

    /// A constant in one of the ways in which people write it.
    fn number(&mut self, value: u32) -> String {
        match self.below(6) {
            0 => format!("{value}u"),
            1 => format!("{value:#x}"),
            2 => format!("{value},"),
            3 => format!("max(ONE, {} + ONE)", i64::from(value) - 1),
            4 => format!("i32({value}) * ONE"),
            _ => value.to_string(),
        }
    }

    fn spell(&mut self, ty: &Ty) -> String {
        match ty {
            Ty::Scalar(scalar) => scalar.name().to_owned(),
            Ty::Atomic => "atomic<u32>".to_owned(),
            Ty::Vector(len, scalar) => format!("vec{len}<{}>", scalar.name()),
            Ty::Matrix(columns, rows, scalar) => format!("mat{columns}x{rows}<{}>", scalar.name()),
            Ty::Array(element, Some(len)) => format!("array<{}, {len}>", self.spell(element)),
            Ty::Array(element, None) => format!("array<{}>", self.spell(element)),
            Ty::Struct(index) if self.one_in(3) => format!("A{index}"),
            Ty::Struct(index) => format!("S{index}"),
        }
    }

    fn declarations(&mut self, types: &Types) -> String {
        let mut all = vec!["const ONE = 1;".to_owned()];
        for (index, members) in types.structs.iter().enumerate() {
            let mut text = format!("struct S{index} {{");
            for (i, member) in members.iter().enumerate() {
                let mut attributes = Vec::new();
                attributes.extend(member.align.map(|align| format!("@align({}) ", self.number(align))));
                attributes.extend(member.size.map(|size| format!("@size({}) ", self.number(size))));
                if self.one_in(2) {
                    attributes.reverse();
                }
                write!(text, "\n    {}m{i}: {},", attributes.concat(), self.spell(&member.ty)).unwrap();
            }
            all.push(format!("{text}\n}}"));
            all.push(format!("alias A{index} = S{index};"));
        }
        // Declarations stand in any order.
        for i in (1..all.len()).rev() {
            all.swap(i, self.below(i as u64 + 1) as usize);
        }
        format!("enable f16;\n{}\n", all.join("\n"))
    }
}

fn has(types: &Types, such: fn(&Ty) -> bool) -> bool {
    let inner = |member: &Member| {
        let mut ty = &member.ty;
        while let Ty::Array(element, _) = ty {
            ty = element;
        }
        such(ty)
    };
    types.structs.iter().flatten().any(inner)
}

/// A kernel that writes every number of `o` and reads every number of `i`.
fn kernel(declarations: &str, leaves: &[(String, u32, Ty)], root: usize, space: &str) -> String {
    let mut body = String::new();
    for (k, (path, _, ty)) in leaves.iter().enumerate() {
        let value = k + 1;
        match ty {
            Ty::Scalar(scalar) => {
                writeln!(body, "    o{path} = {}({value});\n    r[{k}] = u32(i{path});", scalar.name()).unwrap();
            }
            _ => writeln!(body, "    atomicStore(&o{path}, {value});\n    r[{k}] = atomicLoad(&i{path});").unwrap(),
        }
    }
    format!(
        "{declarations}
@group(0) @binding(0) var<storage, read_write> o: S{root};
@group(0) @binding(1) var<{space}> i: S{root};
@group(0) @binding(2) var<storage, read_write> r: array<u32>;

@compute @workgroup_size(1)
fn main() {{
{body}}}"
    )
}

fn runtimes() -> Vec<(String, Runtime)> {
    let open = |(id, _): (String, _)| {
        let runtime = Runtime::builder().device(&id).open().unwrap_or_else(|error| panic!("{error}"));
        (id, runtime)
    };
    seawall_tests::devices().into_iter().map(open).collect()
}

/// One case; counts those with a runtime-sized array, those that uniform memory cannot hold and those that it can.
fn check(seed: u64, runtimes: &[(String, Runtime)], counts: &mut [u32; 3]) {
    let mut random = Random(Rng::new(seed));
    let mut types = random.types();
    let root = types.structs.len() - 1;
    let whole = Ty::Struct(root);
    if let Some(Ty::Array(element, None)) = types.structs[root].last().map(|member| member.ty.clone()) {
        // A binding holds the whole struct with one element, padding included.
        let (head, stride) = (types.offsets(root).last().unwrap().0, types.stride_of(&element));
        let least = (head + stride).next_multiple_of(types.align_of(&whole));
        types.tail_len = (least - head).div_ceil(stride);
        counts[0] += 1;
    }
    let mut leaves = Vec::new();
    types.leaves(&whole, "", 0, &mut leaves);
    if leaves.len() > LEAVES_MAX {
        return;
    }
    let declarations = random.declarations(&types);
    let bytes = match types.structs[root].last() {
        Some(Member { ty: Ty::Array(element, None), .. }) => {
            types.offsets(root).last().unwrap().0 + types.tail_len * types.stride_of(element)
        }
        _ => types.size_of(&whole),
    };
    let mut expected = vec![PADDING; bytes as usize];
    for (k, (_, at, ty)) in leaves.iter().enumerate() {
        let scalar = if let Ty::Scalar(scalar) = ty { *scalar } else { Scalar::U32 };
        let value = scalar.encode(k as u16 + 1);
        expected[*at as usize..][..value.len()].copy_from_slice(&value);
    }
    let uniform = types.fits_uniform(&whole);
    let storage = if has(&types, |ty| matches!(ty, Ty::Atomic)) { "storage, read_write" } else { "storage" };
    for space in [storage, "uniform"] {
        let text = kernel(&declarations, &leaves, root, space);
        if space == "uniform" && !uniform {
            // Structs with atomics or runtime-sized arrays have reasons of their own.
            let refused = seawall_core::program::Program::wgsl(&text).map(|_| ());
            assert!(refused.is_err(), "SEAWALL_SEED={seed} SEAWALL_LAYOUTS=1: uniform memory cannot hold this\n{text}");
            counts[1] += 1;
            continue;
        }
        // naga's SPIR-V for matrices with two rows in structs in uniform structs loses the device.
        let lost = space == "uniform" && has(&types, |ty| matches!(ty, Ty::Matrix(_, 2, _)));
        for (id, runtime) in runtimes.iter().filter(|(id, _)| !(lost && id.starts_with("gpu"))) {
            let tell = |what: String| format!("SEAWALL_SEED={seed} SEAWALL_LAYOUTS=1, {id}, {space}: {what}\n{text}");
            let kernel = runtime.kernel(&text).unwrap_or_else(|error| panic!("{}", tell(error.to_string())));
            let (mut o, mut i) = (vec![PADDING; bytes as usize], expected.clone());
            let mut r = vec![0_u32; leaves.len()];
            let call = runtime.call(&kernel).bind("o", &mut o).bind("i", &mut i).bind("r", &mut r).workgroups(1);
            call.run().unwrap_or_else(|error| panic!("{}", tell(error.to_string())));
            for (k, (path, at, _)) in leaves.iter().enumerate() {
                assert_eq!(r[k], k as u32 + 1, "{}", tell(format!("reads `{path}` at byte {at}")));
            }
            let wrong = (0..bytes as usize).find(|&at| o[at] != expected[at]);
            assert_eq!(wrong, None, "{}", tell("this byte is written wrongly".to_owned()));
        }
        counts[2] += u32::from(space == "uniform");
    }
}

#[test]
fn members_lie_where_the_specification_has_them() {
    let number = |name: &str, default| {
        env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
    };
    let (first, count) = (number("SEAWALL_SEED", SEED), number("SEAWALL_LAYOUTS", LAYOUTS));
    let runtimes = runtimes();
    let mut counts = [0; 3];
    (first..first + count).for_each(|seed| check(seed, &runtimes, &mut counts));
    println!("{count} layouts from seed {first} on: [runtime-sized, refused, uniform] {counts:?}");
    assert!(count < LAYOUTS || counts.iter().all(|&count| count > 0), "{counts:?}");
}

//! Each rule, by a function that breaks it.

use super::super::parse::parse;
use super::{Error, verify};
use crate::ir::{Label, LabelKind, Mem, Op, Slot, Ty, Value};

const HEAD: &str = "kernel main workgroup 8,1,1
slot s0 u32 uniform
slot s1 bool varying
m0 = buffer 0
m1 = buffer 1 read-only
";

/// What is wrong with a body. Literals and inputs have numbers behind all values that it names.
fn is(body: &str, expected: &Error) {
    let text = format!("{HEAD}{body}\n");
    let f = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(verify(&f).as_ref(), Err(expected), "{body}");
}

fn ty(value: u32, expected: Ty, got: Ty) -> Error {
    Error::Type { value: Value(value), expected, got }
}

fn operand(value: u32, ty: Ty) -> Error {
    Error::Operand { value: Value(value), ty }
}

#[test]
fn scopes_and_joins() {
    let v0 = Value(0);
    is("v1: u32 = Add v0 v0\nv0: u32 = Load m0[0]", &Error::Scope { value: v0 });
    is("v0: u32 = Load m0[0]\nv0: u32 = Load m0[4]", &Error::Twice { value: v0 });
    let inner = "v0: bool = Load m0[0]\n() = if v0 {\n  v1: u32 = Load m0[4]\n} else {\n}\nStore m0[0] = v1";
    is(inner, &Error::Scope { value: Value(1) });
    is("() = block @0 {\n  fall u32:0x1\n}", &Error::Arity { expected: 0, got: 1 });
    is("(v0: u32) = block @0 {\n  fall bool:0x1\n}", &ty(1, Ty::U32, Ty::Bool));
    is("loop @0 () = () {\n}", &Error::Falls);
    is("() = block @0 {\n}\njump @0", &Error::Label { label: Label(0) });
    is("() = block @0 {\n}\n() = block @0 {\n}", &Error::Label { label: Label(0) });
}

#[test]
fn types_of_operations() {
    let f = "v0: f32 = Load m0[0]\nv1: u32 = Load m0[4]\nv2: bool = Eq v1 v1\n";
    let breaks = |rest: &str, expected: Error| is(&format!("{f}{rest}"), &expected);
    breaks("v3: f32 = Add v0 v1", ty(1, Ty::F32, Ty::U32));
    breaks("v3: u32 = Lt v1 v1", ty(3, Ty::Bool, Ty::U32));
    breaks("v3: bool = Add v2 v2", operand(2, Ty::Bool));
    breaks("v3: f32 = Rem v0 v0", operand(0, Ty::F32));
    breaks("v3: f32 = And v0 v0", operand(0, Ty::F32));
    breaks("v3: f32 = Dot v0 v0", operand(0, Ty::F32));
    breaks("v3: f32 = Shl v0 v1", operand(0, Ty::F32));
    breaks("v3: u32 = Shl v1 v0", ty(0, Ty::U32, Ty::F32));
    breaks("v3: u32 = Floor v1", operand(1, Ty::U32));
    breaks("v3: f32 = CountOnes v0", operand(0, Ty::F32));
    breaks("v3: u32 = Negate v0", ty(3, Ty::F32, Ty::U32));
    breaks("v3: u32 = Select v1 v1 v1", ty(1, Ty::Bool, Ty::U32));
    breaks("v3: u64 = Bitcast v1", ty(1, Ty::U64, Ty::U32));
    breaks("v3: f32 = Exp v1", ty(1, Ty::F32, Ty::U32));
    breaks("v3: u32 = Exp v0", ty(3, Ty::F32, Ty::U32));
    breaks("v3: f32 = Pow v0", Error::Arity { expected: 2, got: 1 });
    breaks("v3: u32 = Run 0", Error::Callee { callee: 0 });
    breaks("v3: u32 = Subgroup.Fold(Add, All) v0", ty(0, Ty::U32, Ty::F32));
    breaks("v3: f32 = Subgroup.Ballot(0) v2", ty(3, Ty::U32, Ty::F32));
    breaks("v3: u32 = Subgroup.Ballot(0)", Error::Arity { expected: 1, got: 0 });
    breaks("() = if v1 {\n} else {\n}", ty(1, Ty::Bool, Ty::U32));
}

#[test]
fn places() {
    let memory = |memory: u32| Error::Memory { memory: Mem(memory) };
    is("v0: u32 = Load m7[0]", &memory(7));
    is("Store m1[0] = u32:0x1", &memory(1));
    is("v0: u32 = Atomic.Add m1[0] u32:0x1", &memory(1));
    is("v0: u32 = Atomic.Add m0[0] u32:0x1 equals u32:0x2", &Error::Arity { expected: 0, got: 1 });
    is("v0: u32 = Atomic.CompareExchange m0[0] u32:0x1", &Error::Arity { expected: 1, got: 0 });
    is("v0: f32 = Load m0[0]\nv1: u32 = Load m0[0 + v0*4 <9]", &ty(0, Ty::U32, Ty::F32));
}

#[test]
fn forms() {
    is("Store m0[0] = u32:0x1 if bool:0x1", &Error::Mask { mask: Value(1) });
    is("groups {\n  groups {\n  }\n}", &Error::Nested);
    is("groups {\n}\nBarrier", &Error::Barrier);
    let outside = |what: &str| Error::Outside { what: what.to_owned() };
    is("groups {\n}\nStore m0[0] = u32:0x1", &outside("a store to m0"));
    is("groups {\n}\nv0: u32 = Add LocalIndex LocalIndex", &outside("v1"));
    is("groups {\n}\nv0: u32 = Atomic.Add m0[0] u32:0x1", &outside("v0"));
    is("groups {\n}\nv0: bool = Recall s1", &outside("s1"));
    is("v0: u32 = Recall s0", &outside("v0"));
    is("v0: bool = AnyLane bool:0x1", &outside("v0"));
    is("groups {\n  v0: bool = Any s1\n}", &Error::Inside { what: "`Any`" });
    is("groups {\n  workgroups {\n  }\n}", &Error::Inside { what: "`workgroups`" });
    is("groups {\n  Clear\n}", &Error::Inside { what: "what is done for the workgroup" });
    is("groups {\n  v0: u32 = Recall s9\n}", &Error::NoSlot { slot: Slot(9) });
    let got = Error::Slot { slot: Slot(0), expected: Ty::Bool, got: Ty::U32 };
    is("groups {\n  Keep s0 = bool:0x1\n}", &got);
}

/// What the text form cannot say.
#[test]
fn joins_are_not_made_and_what_is_made_is_no_join() {
    let sound = parse(&format!("{HEAD}v0: u32 = Load m0[0]\nloop @0 (v1: u32) = (v0) {{\n  jump @0 v1\n}}\n")).unwrap();
    assert_eq!(verify(&sound), Ok(()));
    let mut f = sound.clone();
    f.values[0].op = Op::Param;
    assert_eq!(verify(&f), Err(Error::Made { value: Value(0) }));
    let mut f = sound.clone();
    f.values[1].op = Op::Const(1);
    assert_eq!(verify(&f), Err(Error::Made { value: Value(1) }));
    let mut f = sound.clone();
    f.labels[0] = LabelKind::Block;
    assert_eq!(verify(&f), Err(Error::Label { label: Label(0) }));
    let mut f = sound;
    f.cold.insert(Label(0));
    assert_eq!(verify(&f), Err(Error::Label { label: Label(0) }));
    f.cold.clear();
    f.nontemporal.insert(Mem(2));
    assert_eq!(verify(&f), Err(Error::Memory { memory: Mem(2) }));
    f.nontemporal.clear();
    f.scalarized.insert(Value(0));
    assert_eq!(verify(&f), Err(Error::Scalarized { value: Value(0) }));
}

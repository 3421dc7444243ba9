//! Small texts for which it is plain what the scans have to say.

use crate::arms::catch_alls;
use crate::steps::backward;
use crate::tree::Tree;

/// Where a crate of this text steps backwards, as it is written there.
fn steps(text: &str) -> Vec<String> {
    let path = |at: String| at.rsplit(": ").next().unwrap().to_owned();
    backward(&Tree::parse(text)).into_iter().map(|step| path(step.at)).collect()
}

#[test]
fn steps_up_are_none() {
    let up = "mod a { pub fn f() {} } mod b { use crate::a; fn g() { a::f(); super::a::f() } }";
    assert_eq!(steps(up), [] as [&str; 0]);
    let around = "pub struct Own; mod a { use super::Own; use crate::Own as Mine; } mod b {}";
    assert_eq!(steps(around), [] as [&str; 0]);
    let inside = "mod a { mod c { pub fn f() {} } use c::f; use self::c as d; fn g() { d::f() } }";
    assert_eq!(steps(inside), [] as [&str; 0]);
    let other = "mod a { use b::Thing; use ::b::Thing as Other; fn f(b: u32) -> u32 { b } } mod b {}";
    assert_eq!(steps(other), [] as [&str; 0], "another crate of the same name");
}

#[test]
fn steps_down_are_found_however_they_are_written() {
    let below = |inside: &str| steps(&format!("mod a {{ {inside} }} mod b {{ pub struct T; pub mod c {{}} }}"));
    assert_eq!(below("use crate::b::T;"), ["crate::b::T"]);
    assert_eq!(below("use super::b;"), ["super::b"]);
    assert_eq!(below("use crate::{self as all, b::{self, c}};"), ["crate::b"]);
    assert_eq!(below("use super::b::*;"), ["super::b"]);
    assert_eq!(below("fn f(_: &super::b::T) {}"), ["super::b::T"]);
    assert_eq!(below("fn f() { let _ = self::super::b::T; }"), ["self::super::b::T"]);
    assert_eq!(below("fn f() { println!(\"{:?}\", (1, crate::b::T)); }"), ["crate::b::T"]);
    assert_eq!(below("macro_rules! m { () => { $crate::b::T } }"), ["crate::b::T"]);
    assert_eq!(below("mod inner { fn f() -> super::super::b::T {} }"), ["super::super::b::T"]);
    assert_eq!(below("use super as up; fn f() -> up::b::T {}"), ["up::b::T"]);
}

#[test]
fn steps_down_are_found_between_inner_rooms() {
    assert_eq!(steps("mod a { mod x { use super::y; } mod y {} }"), ["super::y"]);
    assert_eq!(steps("mod a { mod x { mod z { use crate::a::y::T; } } mod y { pub struct T; } }"), ["crate::a::y::T"]);
    assert_eq!(steps("mod a { mod y {} mod x { use super::y; } }"), [] as [&str; 0]);
}

#[test]
fn steps_down_are_found_through_what_hands_them_on() {
    assert_eq!(steps("pub use b::T; mod a { use crate::T; } mod b { pub struct T; }"), ["crate::T"]);
    assert_eq!(steps("use b::T as Other; mod a { fn f(_: super::Other) {} } mod b {}"), ["super::Other"]);
    assert_eq!(steps("pub use b::*; mod a { use super::T; } mod b { pub struct T; }"), ["super::T"]);
    assert_eq!(steps("use b::T; mod a { use super::*; fn f(_: T) {} } mod b { pub struct T; }"), ["T"]);
    assert_eq!(steps("pub use a::T; mod a { pub struct T; } mod b { use crate::T; }"), [] as [&str; 0]);
}

#[test]
fn tests_may_step_down() {
    let below = |inside: &str| steps(&format!("mod a {{ {inside} }} mod b {{ pub struct T; }}"));
    assert_eq!(below("#[cfg(test)] mod tests { use crate::b::T; }"), [] as [&str; 0]);
    assert_eq!(below("#[cfg(all(test, not(loom)))] use crate::b::T;"), [] as [&str; 0]);
    assert_eq!(below("fn f() { #[cfg(test)] let _ = crate::b::T; }"), [] as [&str; 0]);
    assert_eq!(below("#[cfg(not(test))] use crate::b::T;"), ["crate::b::T"]);
    assert_eq!(below("#[cfg(any(test, feature = \"case\"))] use crate::b::T;"), ["crate::b::T"]);
}

/// Lines of catch-all arms in this `match`, one arm on each from line 3 on.
fn caught(arms: &str) -> Vec<usize> {
    let head = "use naga::{Expression, BinaryOperator as Binary, valid::TypeError};\nuse other::Kind;";
    let text = format!("{head} fn f() {{ match it {{\n{arms}\n}} }}");
    catch_alls(&syn::parse_file(&text).unwrap(), None)
}

#[test]
fn arms_for_the_rest_are_found() {
    assert_eq!(caught("Binary::Add => 1,\n_ => 0,"), [4]);
    assert_eq!(caught("Expression::Load { .. } => 1,\nother => 0,"), [4]);
    assert_eq!(caught("Expression::Load { .. } => 1,\nref other @ _ => 0,"), [4]);
    assert_eq!(caught("Some(Binary::Add) => 1,\n_ if odd => 2,\nNone | Some(_) => 0,"), [4]);
    assert_eq!(caught("(Binary::Add, _) => 1,\n(_, _) => 0,"), [4]);
    assert_eq!(caught("(_, Binary::Add) => 1,\n(one, ..) => 0,"), [4]);
    assert_eq!(caught("&Binary::Add => 1,\n&_ => 0,"), [4]);
    assert_eq!(caught("naga::Statement::Break => 1,\nseawall_core::naga::Statement::Kill | _ => 0,"), [4]);
    assert_eq!(caught("Kind::One => match inner { Binary::Add => 1,\n_ => 0 },\n_ => 2,"), [4]);
}

#[test]
fn arms_that_decide_are_left_alone() {
    assert_eq!(caught("Binary::Add => 1,\nBinary::Subtract => 0,"), [] as [usize; 0]);
    assert_eq!(caught("Kind::One => 1,\n_ => 0,"), [] as [usize; 0], "not naga's");
    assert_eq!(caught("TypeError::Later => 1,\n_ => 0,"), [] as [usize; 0], "an error");
    assert_eq!(caught("(Binary::Add, _) => 1,\n(Binary::Divide, _) => 0,"), [] as [usize; 0]);
    assert_eq!(caught("it if it == Binary::Add => 1,\nit => 0,"), [] as [usize; 0], "a guard is no pattern");
    assert_eq!(caught("all @ (Binary::Add | Binary::Divide) => 1,\nNONE => 0,"), [] as [usize; 0]);
    let text = "use naga::MathFunction as Math; fn f() { match it { Math::Abs => 1, _ => 0 } }";
    let file = syn::parse_file(text).unwrap();
    assert_eq!((catch_alls(&file, None), catch_alls(&file, Some("MathFunction"))), (vec![1], vec![]));
}

#[test]
fn what_must_not_come_may_be_named_so() {
    assert_eq!(caught("Binary::Add => 1,\nother => unreachable!(\"invariant ops: {other:?}\"),"), [] as [usize; 0]);
    assert_eq!(caught("Binary::Add => 1,\nother => { unreachable!(\"invariant ops\") }"), [] as [usize; 0]);
    assert_eq!(caught("Binary::Add => 1,\nother => todo!(),"), [4]);
    assert_eq!(caught("Binary::Add => 1,\nother => { note(other); unreachable!() }"), [4]);
    assert_eq!(caught("Binary::Add => 1,\nother => find().unwrap_or_else(|| unreachable!()),"), [4]);
}

//! Privatization of buffers that a kernel only counts in: small ones, which it touches by atomics of one kind whose
//! results nobody wants. A call counts in scratch, where no other thread comes, and adds what it
//! has to the buffer at its end: one locked operation for each word instead of one for each
//! invocation, and no cache line that goes to and fro between threads.
//!
//! Nobody can tell: while the kernel runs nobody reads the buffer, and integers that are added,
//! or joined by `and`, `or`, `xor`, `min` or `max`, give the same in any order and in any groups.

use std::collections::{BTreeMap, BTreeSet};

use crate::cost;
use crate::divergence::Shapes;
use crate::ir::{Access, Address, Atomic, Bound, Function, Kind, Mem, Memory, Op, Private, Ty, Value};

const NAME: &str = "privatize";
const OTHERWISE: &str = "it is read or written in other ways too";

/// Finds the buffers of a kernel that can be counted in.
pub(super) fn privatize(f: &mut Function, _: &Shapes) -> bool {
    // Functions that are called may do other things with them.
    if f.calls.is_empty() && !f.is_callee {
        f.privates = found(f);
    }
    false
}

fn found(f: &Function) -> BTreeMap<Mem, Private> {
    let used = f.body.uses(f).into_keys().collect();
    let mut found: BTreeMap<Mem, Result<Private, &'static str>> = BTreeMap::new();
    let mut counted = BTreeSet::new();
    let mut touch = |memory: Mem, new: Result<Private, &'static str>| {
        let private = found.entry(memory).or_insert(new);
        *private = private.and_then(|private| join(private, new?).ok_or("it is updated in several ways"));
    };
    f.body.accesses(f, &mut |Access { kind, at, value, .. }| match (kind, f.op(value)) {
        (Kind::Atomic, Op::Atomic { fun, .. }) => {
            counted.insert(at.memory);
            touch(at.memory, private(f, &used, value, at, *fun));
        }
        _ => touch(at.memory, Err(OTHERWISE)),
    });
    for &memory in counted.iter().filter(|memory| matches!(f.memories[memory.index()], Memory::Buffer { .. })) {
        match &found[&memory] {
            Ok(private) => f.done(NAME, memory, format!("each thread counts in {} bytes of its own", private.bytes)),
            Err(because) => f.missed(NAME, memory, *because),
        }
    }
    found.into_iter().filter_map(|(memory, private)| Some((memory, private.ok()?))).collect()
}

/// What an atomic counts, if it does nothing else.
fn private(
    f: &Function,
    used: &BTreeSet<Value>,
    result: Value,
    at: &Address,
    fun: Atomic,
) -> Result<Private, &'static str> {
    let ty = f.ty(result);
    if !matches!(f.memories[at.memory.index()], Memory::Buffer { aliased: false, .. }) {
        return Err("it may be the memory of another buffer");
    }
    if used.contains(&result) {
        return Err("results of its updates are used");
    }
    if !matches!(ty, Ty::I32 | Ty::U32) {
        return Err("only integers of 32 bits give the same in any order");
    }
    let fun = match fun {
        Atomic::Add | Atomic::Sub => Atomic::Add,
        Atomic::And | Atomic::Or | Atomic::Xor | Atomic::Min | Atomic::Max => fun,
        Atomic::Exchange | Atomic::CompareExchange => return Err("the order of its updates matters"),
    };
    let mut bytes = u64::from(at.offset) + u64::from(ty.bytes());
    for term in &at.terms {
        let Bound::Const(length) = term.bound else { return Err("its size is not known before it runs") };
        bytes += u64::from(length.saturating_sub(1)) * u64::from(term.stride);
    }
    if bytes > cost::PRIVATE_BYTES {
        return Err("it is so large that adding it up would take longer");
    }
    Ok(Private { fun, ty, bytes })
}

/// Both, if they are of one kind.
fn join(a: Private, b: Private) -> Option<Private> {
    let alike = a.fun == b.fun && a.ty == b.ty;
    alike.then_some(Private { bytes: a.bytes.max(b.bytes), ..a })
}

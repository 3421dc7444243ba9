//! The stable text form, one line for each node.

use std::fmt::{self, Display, Write};

use super::{
    Address, Any, Bound, Each, End, Function, Group, Label, Lanes, Mem, Memory, Node, Op, Region, Shape, Slot, Value,
};

impl Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

impl Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.0)
    }
}

impl Display for Mem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "m{}", self.0)
    }
}

impl Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}

impl Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uniform => f.write_str("uniform"),
            Self::Linear(0) => f.write_str("even"),
            Self::Linear(stride) => write!(f, "linear({stride})"),
            Self::Varying => f.write_str("varying"),
        }
    }
}

/// Lanes that are not there.
struct Gone<'a>(&'a [Slot]);

impl Display for Gone<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|slot| write!(f, " without {slot}"))
    }
}

/// Operands, one after the other, each after a space.
struct Rest<'a>(&'a Function, &'a [Value]);

impl Display for Rest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.1.iter().try_for_each(|&value| write!(f, " {}", Operand(self.0, value)))
    }
}

struct List<'a>(&'a Function, &'a [Value]);

impl Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, &value) in self.1.iter().enumerate() {
            let space = if i == 0 { "" } else { " " };
            write!(f, "{space}{}", Operand(self.0, value))?;
        }
        Ok(())
    }
}

/// A literal by its value, all else by its number.
struct Operand<'a>(&'a Function, Value);

impl Display for Operand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(function, value) = *self;
        match function.op(value) {
            Op::Const(bits) => write!(f, "{}:{bits:#x}", function.ty(value)),
            Op::Builtin(builtin) => write!(f, "{builtin:?}"),
            Op::Length { buffer } => write!(f, "length{buffer}"),
            _ => write!(f, "{value}"),
        }
    }
}

/// The mask of what is done by some lanes only.
struct When<'a>(&'a Function, Option<Value>);

impl Display for When<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.1.map_or(Ok(()), |when| write!(f, " if {}", Operand(self.0, when)))
    }
}

struct Place<'a>(&'a Function, &'a Address);

impl Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(function, at) = *self;
        write!(f, "{}[{}", at.memory, at.offset)?;
        for term in &at.terms {
            write!(f, " + {}*{} <", Operand(function, term.index), term.stride)?;
            match term.bound {
                Bound::Const(bound) => write!(f, "{bound}")?,
                Bound::Length { buffer } => write!(f, "length{buffer}")?,
            }
            match term.shown {
                None => {}
                Some(Lanes::Scalar) => f.write_str(", shown")?,
                Some(Lanes::Ramp(lanes)) => write!(f, ", shown for {lanes}")?,
                Some(Lanes::Even(lanes)) => write!(f, ", shown evenly for {lanes}")?,
            }
        }
        f.write_str("]")
    }
}

impl Function {
    fn op_text(&self, op: &Op) -> String {
        let o = |value: Value| Operand(self, value);
        match op {
            Op::Param => "param".to_owned(),
            Op::Const(_) | Op::Builtin(_) | Op::Length { .. } => format!("{op:?}"),
            Op::Unary(op, a) => format!("{op:?} {}", o(*a)),
            Op::Binary(op, a, b) => format!("{op:?} {} {}", o(*a), o(*b)),
            Op::Select(c, a, b) => format!("Select {} {} {}", o(*c), o(*a), o(*b)),
            Op::Convert(a) => format!("Convert {}", o(*a)),
            Op::Bitcast(a) => format!("Bitcast {}", o(*a)),
            Op::Call(helper, args) => format!("{helper:?}{}", Rest(self, args)),
            Op::Subgroup(what, args) => format!("Subgroup.{what:?}{}", Rest(self, args)),
            Op::Run(callee, when) => format!("Run {callee}{}", When(self, *when)),
            Op::AnyLane(a) => format!("AnyLane {}", o(*a)),
            Op::Callers => "Callers".to_owned(),
            Op::Edge(edge, a) => format!("Edge.{edge:?} {}", o(*a)),
            Op::Recall(slot) => format!("Recall {slot}"),
            Op::Any(Any { of, gone }) => {
                let of = of.map(|slot| format!(" {slot}")).unwrap_or_default();
                format!("Any{of}{}", Gone(gone))
            }
            Op::Load { at, uniform } => format!("Load{} {}", if *uniform { ".uniform" } else { "" }, Place(self, at)),
            Op::Atomic { at, fun, value, compare, when } => {
                let equals = compare.map(|compare| format!(" equals {}", o(compare))).unwrap_or_default();
                format!("Atomic.{fun:?} {} {}{equals}{}", Place(self, at), o(*value), When(self, *when))
            }
        }
    }

    fn region_text(&self, region: &Region, depth: usize, note: &dyn Fn(Value) -> String, out: &mut String) {
        let pad = "  ".repeat(depth);
        let define = |values: &[Value]| {
            let texts: Vec<String> =
                values.iter().map(|&value| format!("{value}: {}{}", self.ty(value), note(value))).collect();
            texts.join(", ")
        };
        for node in &region.nodes {
            let _ = match node {
                Node::Let(value) => {
                    let op = self.op_text(self.op(*value));
                    writeln!(out, "{pad}{} = {op}", define(&[*value]))
                }
                Node::Store { at, value, when } => {
                    let (value, when) = (Operand(self, *value), When(self, *when));
                    writeln!(out, "{pad}Store {} = {value}{when}", Place(self, at))
                }
                Node::Barrier => writeln!(out, "{pad}Barrier"),
                Node::If { condition, accept, reject, results } => {
                    let _ = writeln!(out, "{pad}({}) = if {} {{", define(results), Operand(self, *condition));
                    self.region_text(accept, depth + 1, note, out);
                    let _ = writeln!(out, "{pad}}} else {{");
                    self.region_text(reject, depth + 1, note, out);
                    writeln!(out, "{pad}}}")
                }
                Node::Block { label, body, results } => {
                    let _ = writeln!(out, "{pad}({}) = block {label} {{", define(results));
                    self.region_text(body, depth + 1, note, out);
                    writeln!(out, "{pad}}}")
                }
                Node::Loop { label, params, init, body } => {
                    let _ = writeln!(out, "{pad}loop {label} ({}) = ({}) {{", define(params), List(self, init));
                    self.region_text(body, depth + 1, note, out);
                    writeln!(out, "{pad}}}")
                }
                Node::Group(Group::Each(each)) => {
                    let _ = writeln!(out, "{pad}{} {{", self.each_text(each));
                    self.region_text(&each.body, depth + 1, note, out);
                    writeln!(out, "{pad}}}")
                }
                Node::Group(Group::Keep { slot, value, merges }) => {
                    let what = if *merges { "Merge" } else { "Keep" };
                    writeln!(out, "{pad}{what} {slot} = {}", Operand(self, *value))
                }
                Node::Group(Group::Zero(slot)) => writeln!(out, "{pad}Zero {slot}"),
                Node::Group(Group::Workgroups(body)) => {
                    let _ = writeln!(out, "{pad}workgroups {{");
                    self.region_text(body, depth + 1, note, out);
                    writeln!(out, "{pad}}}")
                }
                Node::Group(Group::Compress { at, value, when }) => {
                    let (value, when) = (Operand(self, *value), When(self, *when));
                    writeln!(out, "{pad}Compress {} = {value}{when}", Place(self, at))
                }
                Node::Group(Group::Clear) => writeln!(out, "{pad}Clear"),
                Node::Group(Group::Prefetch(extent)) => {
                    let (memory, bytes) = (extent.memory, extent.bytes);
                    writeln!(out, "{pad}Prefetch {memory}[{} + {} a workgroup] {bytes}", extent.start, extent.step)
                }
            };
        }
        let _ = match &region.end {
            End::Fall(args) if args.is_empty() => Ok(()),
            End::Fall(args) => writeln!(out, "{pad}fall{}", Rest(self, args)),
            End::Jump(label, args) => writeln!(out, "{pad}jump {label}{}", Rest(self, args)),
            End::Unreachable => writeln!(out, "{pad}unreachable"),
        };
    }

    /// How a loop over lane groups begins.
    fn each_text(&self, Each { span, gone, rare, .. }: &Each) -> String {
        let mut text = format!("groups{}", Gone(gone));
        if let Some(span) = span {
            let _ = write!(text, " from {} to {}", Operand(self, span.from), Operand(self, span.to));
            span.some.iter().for_each(|some| _ = write!(text, " for some {}", Operand(self, *some)));
        }
        text.push_str(if *rare { " rarely" } else { "" });
        text
    }

    /// What stands beside the code: nothing is said of what there is not.
    fn tables(&self, out: &mut String) {
        if self.is_callee {
            out.push_str("callee\n");
        }
        let mut line = |what: &str, of: String| _ = writeln!(out, "{what} {of}");
        self.subgroup.iter().for_each(|lanes| line("subgroup", lanes.to_string()));
        if self.workgroup_bytes > 0 {
            line("workgroup-bytes", self.workgroup_bytes.to_string());
        }
        self.calls.iter().for_each(|work| line("call", work.to_string()));
        for at in &self.interchanged {
            let rest = at.rest.map(|rest| format!(" rest {rest}")).unwrap_or_default();
            let row = at.row.map(|row| format!(" row {row}")).unwrap_or_default();
            line("interchanged", format!("{} of {}{rest}{row}", at.label, at.memory));
        }
        for at in &self.coarsened {
            line("coarsened", format!("{} of {} by {} in {}", at.label, at.memory, at.by, at.dimension));
        }
        let mut bounded: Vec<&Label> = self.bounded.iter().collect();
        bounded.sort();
        bounded.into_iter().for_each(|label| line("bounded", label.to_string()));
        let mut cold: Vec<&Label> = self.cold.iter().collect();
        cold.sort();
        cold.into_iter().for_each(|label| line("cold", label.to_string()));
        for (memory, private) in &self.privates {
            line("private", format!("{memory} {:?} {} {}", private.fun, private.ty, private.bytes));
        }
        self.nontemporal.iter().for_each(|memory| line("nontemporal", memory.to_string()));
        self.scalarized.iter().for_each(|value| line("scalarized", value.to_string()));
        if self.tile > 1 {
            line("tile", self.tile.to_string());
        }
        if self.outlives {
            line("outlives", "groups".to_owned());
        }
        for (i, kept) in self.slots.iter().enumerate() {
            let every = if kept.every { " for all" } else { "" };
            line("slot", format!("{} {} {}{every}", Slot(i as u32), kept.ty, kept.shape));
        }
        for (label, span) in &self.loops {
            let span = span.map(|span| format!(" at {} to {}", span.start, span.end)).unwrap_or_default();
            line("loop", format!("{label}{span}"));
        }
    }

    /// The text form; `note` says something about each defined value.
    pub(crate) fn text(&self, note: &dyn Fn(Value) -> String) -> String {
        let [x, y, z] = self.workgroup_size;
        let mut out = format!("kernel {} workgroup {x},{y},{z}\n", self.name);
        self.tables(&mut out);
        for (i, memory) in self.memories.iter().enumerate() {
            let what = match memory {
                Memory::Buffer { buffer, read_only, aliased } => {
                    let (read_only, aliased) =
                        (if *read_only { " read-only" } else { "" }, if *aliased { " aliased" } else { "" });
                    format!("buffer {buffer}{read_only}{aliased}")
                }
                Memory::Workgroup { start } => format!("workgroup at {start}"),
                Memory::Private { slots, slot_bytes } => format!("private {slots} slots of {slot_bytes} bytes"),
                Memory::Constants { ty, bits } => {
                    let bits: Vec<String> = bits.iter().map(|bits| format!("{bits:#x}")).collect();
                    format!("constants {ty} {}", bits.join(" "))
                }
            };
            let _ = writeln!(out, "{} = {what}", Mem(i as u32));
        }
        self.region_text(&self.body, 0, note, &mut out);
        out
    }
}

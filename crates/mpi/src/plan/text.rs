//! Plans as text: what runs together, what is exchanged, and why.

use std::fmt::{self, Write};

use super::{Node, Op, Plan, Reason};
use crate::touch::Why;

impl Plan {
    /// `3 waves and 1 exchange on 4 ranks`.
    pub fn summary(&self) -> String {
        let count = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
        let waves = self.units.iter().map(Vec::len).sum();
        let (waves, exchanges) = (count(waves, "wave"), count(self.exchanges.len(), "exchange"));
        format!("{waves} and {exchanges} on {}", count(self.ranks, "rank"))
    }

    /// The steps with their reasons: what is the same on all ranks.
    pub fn outline(&self) -> String {
        let (mut text, mut depth) = (String::new(), 0);
        for (at, op) in self.ops.iter().enumerate() {
            depth -= usize::from(matches!(op, Op::End { .. }));
            // Writing to a string cannot fail.
            let _never = writeln!(text, "{:1$}{2}", "", 2 * depth, self.step(at));
            for reason in self.reasons_of(at) {
                let _never = writeln!(text, "{:1$}{2}", "", 2 * depth + 2, self.explain(reason));
            }
            depth += usize::from(matches!(op, Op::Begin { .. }));
        }
        text
    }

    /// A step as text.
    pub fn step(&self, at: usize) -> String {
        match &self.ops[at] {
            Op::Run { units } => format!("stage {at}: {}", self.waves(units)),
            Op::Exchange { exchanges, beside } => {
                let name = |data: usize| format!("`{}`", self.data[data]);
                let one =
                    |&at: &usize| format!("`{}` ({})", self.exchanges[at].name, self.exchanges[at].kind.text(name));
                let all: Vec<String> = exchanges.iter().map(one).collect();
                let beside = if beside.is_empty() { String::new() } else { format!(", beside {}", self.waves(beside)) };
                format!("stage {at}: exchange {}{beside}", all.join(", "))
            }
            Op::Begin { at, .. } => format!("loop `{}`, {}:", self.loops[*at].name, self.decides(*at)),
            Op::End { begin } => match &self.ops[*begin] {
                Op::Begin { at, .. } if !self.loops[*at].swaps.is_empty() => {
                    let pair =
                        |(one, other): &(usize, usize)| format!("`{}` and `{}`", self.data[*one], self.data[*other]);
                    let pairs: Vec<String> = self.loops[*at].swaps.iter().map(pair).collect();
                    format!("swap {}, end", pairs.join(", "))
                }
                _ => "end".to_owned(),
            },
        }
    }

    /// How often a loop goes round.
    pub(super) fn decides(&self, at: usize) -> String {
        let looped = &self.loops[at];
        let turns = format!("{} turn{}", looped.limit, if looped.limit == 1 { "" } else { "s" });
        match looped.word {
            None => turns,
            Some(word) => {
                let zero = if word.zero { "zero on all ranks" } else { "not zero on some rank" };
                let limit = if looped.limit == u32::MAX { String::new() } else { format!(", at most {turns}") };
                format!("while `{}` is {zero}{limit}", self.data[word.data])
            }
        }
    }

    fn waves(&self, units: &[usize]) -> String {
        let names = units.iter().flat_map(|&unit| &self.units[unit]).map(|name| format!("`{name}`"));
        names.collect::<Vec<_>>().join(", ")
    }

    /// The reasons of one step.
    pub fn reasons_of(&self, op: usize) -> impl Iterator<Item = &Reason> {
        self.reasons.iter().filter(move |reason| reason.op == op)
    }

    /// A reason in the caller's names.
    pub fn explain(&self, reason: &Reason) -> String {
        let node = |node: Node| match node {
            Node::Unit(at) => self.waves(&[at]),
            Node::Exchange(at) => format!("`{}`", self.exchanges[at].name),
        };
        let does = |node: Node, exchange: &'static str, wave: &'static str| {
            if matches!(node, Node::Exchange(_)) { exchange } else { wave }
        };
        let (before, after) = (node(reason.before), node(reason.after));
        let data = |at: usize| &self.data[at];
        match reason.why {
            Why::After => format!("{after} is to come after {before}"),
            Why::ReadAfterWrite(at) => {
                let reads = does(reason.after, "sends", "reads");
                let writes = does(reason.before, "receives", "writes");
                format!("{after} {reads} `{}` after {before} {writes} it", data(at))
            }
            Why::WriteAfterRead(at) => {
                let writes = does(reason.after, "receives", "writes");
                let reads = does(reason.before, "sends", "reads");
                format!("{after} {writes} `{}` after {before} {reads} it", data(at))
            }
            Why::WriteAfterWrite(at) => {
                let writes = does(reason.after, "receives", "writes");
                format!("{after} {writes} `{}` after {before} does", data(at))
            }
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "plan: {}", self.summary())?;
        f.write_str(&self.outline())?;
        writeln!(f, "rank {}: {} bytes of data, {} for exchanges", self.rank, self.data_bytes, self.staging_bytes)?;
        if !self.evicted.is_empty() {
            let names: Vec<String> = self.evicted.iter().map(|&at| format!("`{}`", self.data[at])).collect();
            writeln!(f, "on the host for the budget, but while waves need it: {}", names.join(", "))?;
        }
        Ok(())
    }
}

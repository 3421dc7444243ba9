//! Barriers of the whole grid, and what invocations of all workgroups tell each other across them.
//!
//! In kernels that have them, what is called uniform is the same for the whole grid, and `together`
//! means that all of it is here.

use super::Gen;
use super::stmt::Exits;
use super::types::{BOOL, I32, U32};

/// Words that decide where the grid goes.
pub(super) const FLAGS: usize = 5;

impl Gen {
    /// Functions with barriers in them: with a result, by pointer, and with a way around.
    pub(super) fn meetings(&mut self) {
        let (ty, count) = (self.board.name(), self.invocations);
        let text = format!(
            "\
fn meet() {{ gridBarrier(); }}
fn swap_all(at: u32, x: {ty}, from_: u32) -> {ty} {{
    wall[at] = x;
    meet();
    let found = wall[from_ % {count}u];
    gridBarrier();
    return found;
}}
fn hand_on(at: u32, to: ptr<function, {ty}>, from_: u32) {{
    wall[at] = *to;
    gridBarrier();
    *to = wall[from_ % {count}u];
    gridBarrier();
}}
fn may_swap(turns: u32, at: u32, x: {ty}, from_: u32) -> {ty} {{
    if turns == 0u {{
        return x;
    }}
    var kept = x;
    for (var turn = 0u; turn < 5u; turn++) {{
        if turn == turns {{
            return kept;
        }}
        hand_on(at, &kept, from_ + turn);
    }}
    return swap_all(at, kept, from_);
}}"
        );
        text.lines().for_each(|line| self.line(line));
    }

    /// A barrier of the workgroup, or of all of them.
    pub(super) fn barrier(&mut self) {
        let all = self.dialect.grid && self.rng.chance(35);
        self.line(if all { "gridBarrier();" } else { "workgroupBarrier();" });
    }

    fn meet(&mut self) {
        let call = self.rng.pick(&["gridBarrier();", "gridBarrier();", "meet();"]);
        self.line(call);
    }

    /// Something with barriers in it. All of the grid is here.
    pub(super) fn grid(&mut self) {
        match self.rng.below(10) {
            0..2 => self.meet(),
            2 if self.depth < 6 => self.switch(),
            3 if self.depth < 6 => self.branch(),
            4 if self.depth < 6 && self.loops < 2 => self.cycle(),
            5 if self.exchanges => self.count(),
            6..8 if self.exchanges => self.decide(),
            _ if self.exchanges && self.loops < 2 => self.exchange_by_all(),
            _ => self.meet(),
        }
    }

    /// Each writes its own element of a buffer, then all read all of them.
    pub(super) fn exchange_by_all(&mut self) {
        let (value, index) = (self.live(self.board, 2), self.live(U32, 1));
        let name = self.name("v");
        match self.rng.below(5) {
            0 => self.line(format!("let {name} = swap_all(gid, {value}, {index});")),
            1 => {
                self.line(format!("var {name} = {value};"));
                self.line(format!("hand_on(gid, &{name}, {index});"));
                return self.declare(&name, self.board, true, false);
            }
            2 => {
                self.uniform = true;
                let turns = self.live(U32, 1);
                self.uniform = false;
                self.line(format!("let {name} = may_swap({turns} & 3u, gid, {value}, {index});"));
            }
            _ => {
                let write = format!("wall[gid] = {value};");
                if self.rng.chance(30) {
                    let condition = self.live(BOOL, 2);
                    self.line(format!("if {condition} {{ {write} }}"));
                } else {
                    self.line(write);
                }
                self.meet();
                self.between(3);
                self.line(format!("let {name} = wall[{index} % {}u];", self.invocations));
                self.meet();
            }
        }
        self.declare(&name, self.board, false, false);
    }

    /// Statements that write to nothing that others read before the next barrier.
    fn between(&mut self, most: usize) {
        let (exits, together) = (self.exits, self.together);
        (self.exits, self.exchanges, self.together) = (Exits::default(), false, false);
        for _ in 0..self.rng.below(most + 1) {
            self.assign();
        }
        (self.exits, self.exchanges, self.together) = (exits, true, together);
    }

    /// What all have counted so far, which depends on no order.
    fn count(&mut self) {
        let (name, ty) = self.rng.pick(&[("at_add", U32), ("at_min", I32), ("at_or", U32), ("at_xor", U32)]);
        let index = self.live(U32, 1);
        let index = self.inside(index, &format!("arrayLength(&{name})"));
        self.meet();
        let found = self.name("v");
        self.line(format!("let {found} = atomicLoad(&{name}[{index}]);"));
        self.meet();
        self.declare(&found, ty, false, false);
    }

    /// One invocation of the grid decides, and all know it behind a barrier.
    fn decide(&mut self) {
        let (value, who) = (self.live(U32, 2), self.rng.below(self.invocations));
        let flag = self.rng.below(FLAGS);
        self.line(format!("if gid == {who}u {{ flags[{flag}] = {value}; }}"));
        self.meet();
        self.uniform = true;
        let index = self.live(U32, 1);
        self.uniform = false;
        let way = match self.exits {
            Exits { breaks: true, .. } => Some("break;"),
            Exits { continues: true, .. } => Some("continue;"),
            Exits { .. } => None,
        };
        if let Some(way) = way.filter(|_| self.rng.chance(40)) {
            // Another turn must not write to what this one reads, so there is a barrier on either way.
            self.line(format!("if (flags[{flag}] & 3u) == 1u {{ gridBarrier(); {way} }}"));
        }
        let name = self.name("u");
        self.line(format!("let {name} = flags[{index} % {FLAGS}u];"));
        self.meet();
        self.declare(&name, U32, false, true);
    }
}

//! Random statements.
//!
//! `together` says that all invocations of the workgroup, or of the grid where there are barriers
//! of it, are here: only then come barriers,
//! and conditions that lead to more of them are uniform. What leaves a loop or a function
//! from split control would make barriers behind it go wrong, so [`Exits`] keeps count.

use super::Gen;
use super::place::Var;
use super::types::{BOOL, I32, Scalar, Ty, U32};

/// How control may leave from here.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Exits {
    pub(super) breaks: bool,
    pub(super) continues: bool,
    pub(super) returns: bool,
}

impl Gen {
    pub(super) fn line(&mut self, text: impl AsRef<str>) {
        let indent = "    ".repeat(self.depth);
        self.lines.push(format!("{indent}{}", text.as_ref()));
    }

    pub(super) fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    pub(super) fn declare(&mut self, name: &str, ty: Ty, mutable: bool, uniform: bool) {
        self.scope.push(Var { name: name.to_owned(), ty, mutable, uniform });
    }

    /// Statements in a scope of their own.
    pub(super) fn block(&mut self, count: usize) {
        let outer = self.scope.len();
        self.depth += 1;
        for _ in 0..count {
            self.statement();
        }
        self.depth -= 1;
        self.scope.truncate(outer);
    }

    fn few(&mut self) -> usize {
        1 + self.rng.below(4)
    }

    pub(super) fn statement(&mut self) {
        if self.budget == 0 {
            return;
        }
        self.budget -= 1;
        let nested = self.depth < 6;
        let kinds = match (self.together, self.dialect.grid) {
            (false, _) => 27,
            (true, false) => 38,
            (true, true) => 50,
        };
        match self.rng.below(kinds) {
            38.. => self.grid(),
            26 if !self.together && nested && self.loops < 1 => self.thicket(),
            33..35 if self.exchanges && self.loops < 2 => self.exchange_by_storage(),
            35 if nested && self.loops < 1 => self.split(Self::thicket),
            36..38 if self.main && self.loops < 1 => self.rows(),
            0..3 => self.variable(),
            9..11 => self.store(),
            11..14 if nested => self.split(Self::branch),
            14..17 if nested && self.loops < 3 => self.split(Self::cycle),
            17..19 if nested => self.split(Self::switch),
            19..21 => self.exit(),
            21..23 => self.update(),
            23 => self.own(),
            24..26 => self.through_pointer(),
            26..29 if self.together && self.exchanges && self.loops < 2 => self.exchange(),
            29 => self.broadcast(),
            30 => self.assign_uniform(),
            31 if nested => self.branch(),
            32 if nested && self.loops < 2 => self.cycle(),
            _ => self.assign(),
        }
    }

    /// Whatever it is, invocations may go different ways in it.
    fn split(&mut self, inner: fn(&mut Self)) {
        let (together, exits) = (self.together, self.exits);
        if together {
            self.exits = Exits::default();
        }
        self.together = false;
        inner(self);
        (self.together, self.exits) = (together, exits);
    }

    /// A condition that is uniform where it has to be.
    fn condition(&mut self, depth: usize) -> String {
        self.uniform = self.together;
        let text = self.live(BOOL, depth);
        self.uniform = false;
        text
    }

    fn variable(&mut self) {
        let ty = self.any_type();
        let name = self.name("v");
        match self.rng.below(5) {
            0 => self.line(format!("var {name}: {};", ty.name())),
            1 => {
                let value = self.live(ty, 2);
                self.line(format!("let {name} = {value};"));
                return self.declare(&name, ty, false, false);
            }
            _ => {
                let value = self.expr(ty, 2).text;
                self.line(format!("var {name}: {} = {value};", ty.name()));
            }
        }
        self.declare(&name, ty, true, false);
    }

    pub(super) fn assign(&mut self) {
        let Some((path, ty)) = self.target() else { return self.variable() };
        let op = match ty {
            Ty::Scalar(Scalar::I32 | Scalar::U32) if self.rng.chance(15) => {
                let op = self.rng.pick(&["++", "--"]);
                return self.line(format!("{path}{op};"));
            }
            Ty::Scalar(Scalar::I32 | Scalar::U32) => self.rng.pick(&["=", "=", "+=", "*=", "^=", "-="]),
            Ty::Scalar(Scalar::F16 | Scalar::F32 | Scalar::I64 | Scalar::F64) | Ty::Vector(_, Scalar::F32)
                if !self.dialect.portable =>
            {
                self.rng.pick(&["=", "=", "+=", "-=", "*="])
            }
            _ => "=",
        };
        let value = self.expr(ty, 3).text;
        self.line(format!("{path} {op} {value};"));
    }

    fn assign_uniform(&mut self) {
        let open: Vec<Var> = self.scope.iter().filter(|var| var.mutable && var.uniform).cloned().collect();
        let var = open[self.rng.below(open.len())].clone();
        self.uniform = true;
        let (path, ty) = self.some_part(var.name, var.ty);
        let value = self.live(ty, 2);
        self.uniform = false;
        self.line(format!("{path} = {value};"));
    }

    pub(super) fn branch(&mut self) {
        let condition = self.condition(2);
        self.line(format!("if {condition} {{"));
        let count = self.few();
        self.block(count);
        if self.rng.chance(20) {
            let condition = self.condition(1);
            self.line(format!("}} else if {condition} {{"));
            let count = self.few();
            self.block(count);
        }
        if self.rng.chance(50) {
            self.line("} else {");
            let count = self.few();
            self.block(count);
        }
        self.line("}");
    }

    pub(super) fn switch(&mut self) {
        let exits = self.exits;
        self.exits.breaks = true;
        let signed = self.rng.chance(50);
        let (ty, suffix) = if signed { (I32, "i") } else { (U32, "u") };
        self.uniform = self.together;
        let selector = self.live(ty, 1);
        self.uniform = false;
        let selector = if self.rng.chance(70) { format!("({selector} & 7{suffix})") } else { selector };
        self.line(format!("switch {selector} {{"));
        self.depth += 1;
        let clauses = 1 + self.rng.below(4);
        let default = self.rng.below(clauses);
        let mut next = self.rng.below(3);
        for clause in 0..clauses {
            let count = 1 + self.rng.below(3);
            let mut labels: Vec<String> = (next..next + count).map(|label| format!("{label}{suffix}")).collect();
            next += count;
            if clause == default {
                labels.push("default".to_owned());
            }
            let alone = clause == default && self.rng.chance(50);
            let head = if alone { "default".to_owned() } else { format!("case {}", labels.join(", ")) };
            self.line(format!("{head}: {{"));
            let count = self.few();
            self.block(count);
            self.line("}");
        }
        self.depth -= 1;
        self.line("}");
        self.exits = exits;
    }

    pub(super) fn cycle(&mut self) {
        let exits = self.exits;
        self.exits.breaks = true;
        self.exits.continues = true;
        let outer = self.scope.len();
        let turns = [7, 4, 3][self.loops] - self.rng.below(2);
        self.loops += 1;
        let counter = self.name("k");
        // The counter goes up whatever happens, so every loop ends.
        match self.rng.below(3) {
            0 => {
                let more = if self.rng.chance(60) { format!(" && {}", self.condition(1)) } else { String::new() };
                self.line(format!("for (var {counter} = 0u; {counter} < {turns}u{more}; {counter}++) {{"));
                self.declare(&counter, U32, false, self.together);
                let count = self.few();
                self.block(count);
                self.line("}");
            }
            1 => {
                self.line(format!("var {counter} = 0;"));
                self.declare(&counter, I32, false, self.together);
                let more = self.condition(1);
                self.line(format!("while {counter} < {turns} && {more} {{"));
                self.depth += 1;
                self.line(format!("{counter}++;"));
                self.depth -= 1;
                let count = self.few();
                self.block(count);
                self.line("}");
            }
            _ => self.cycle_continuing(&counter, turns),
        }
        self.loops -= 1;
        self.scope.truncate(outer);
        self.exits = exits;
    }

    fn cycle_continuing(&mut self, counter: &str, turns: usize) {
        self.line(format!("var {counter} = 0u;"));
        self.declare(counter, U32, false, self.together);
        self.line("loop {");
        let count = self.few();
        self.block(count);
        self.depth += 1;
        self.line("continuing {");
        self.depth += 1;
        self.line(format!("{counter}++;"));
        self.depth -= 1;
        let (exits, exchanges) = (self.exits, self.exchanges);
        (self.exits, self.exchanges) = (Exits::default(), false);
        for _ in 0..self.rng.below(3) {
            self.depth += 1;
            self.assign();
            self.depth -= 1;
        }
        (self.exits, self.exchanges) = (exits, exchanges);
        if self.together && self.dialect.grid && self.rng.chance(30) {
            self.depth += 1;
            self.line("gridBarrier();");
            self.depth -= 1;
        }
        let stop = self.condition(1);
        self.depth += 1;
        self.line(format!("break if {counter} >= {turns}u || {stop};"));
        self.depth -= 1;
        self.line("}");
        self.depth -= 1;
        self.line("}");
    }

    /// Leaves a loop, a switch or the function, mostly under a condition.
    fn exit(&mut self) {
        let mut ways = Vec::new();
        if self.exits.breaks {
            ways.extend(["break;".to_owned(), "break;".to_owned()]);
        }
        if self.exits.continues {
            ways.extend(["continue;".to_owned(), "continue;".to_owned()]);
        }
        if self.exits.returns {
            ways.push("return;".to_owned());
        }
        if ways.is_empty() {
            return self.assign();
        }
        let at = self.rng.below(ways.len());
        let mut way = ways.swap_remove(at);
        if way == "return;"
            && let Some(ty) = self.result
        {
            way = format!("return {};", self.expr(ty, 2).text);
        }
        if self.rng.chance(85) {
            let condition = self.condition(2);
            self.line(format!("if {condition} {{ {way} }}"));
        } else {
            self.line(way);
        }
    }

    /// An atomic whose result nobody looks at until all are done.
    fn update(&mut self) {
        let (fun, name, ty) = match self.rng.below(6) {
            0 => ("atomicAdd", "at_add", U32),
            1 => ("atomicMin", "at_min", I32),
            2 => ("atomicOr", "at_or", U32),
            3 => ("atomicXor", "at_xor", U32),
            4 if self.gathering => ("atomicAdd", "wg_add", U32),
            5 if self.gathering => ("atomicMax", "wg_max", I32),
            _ => ("atomicSub", "at_add", U32),
        };
        let of = if self.rng.chance(80) { U32 } else { I32 };
        let index = self.live(of, 1);
        let index = if self.rng.chance(70) { format!("({index} & 7)") } else { index };
        let length = match name {
            "wg_add" => "7u".to_owned(),
            "wg_max" => "3u".to_owned(),
            _ => format!("arrayLength(&{name})"),
        };
        let (index, value) = (self.inside(index, &length), self.expr(ty, 2).text);
        self.line(format!("{fun}(&{name}[{index}], {value});"));
    }

    /// An atomic on a cell that no other invocation touches.
    fn own(&mut self) {
        let me = if self.main { "gid" } else { "me" };
        let fun = self.rng.pick(&[
            "atomicAdd",
            "atomicSub",
            "atomicMax",
            "atomicMin",
            "atomicAnd",
            "atomicOr",
            "atomicXor",
            "atomicExchange",
            "atomicLoad",
            "atomicStore",
            // A GPU's may fail for no reason.
            if self.dialect.portable { "atomicLoad" } else { "atomicCompareExchangeWeak" },
        ]);
        let value = self.expr(I32, 2).text;
        let name = self.name("a");
        let call = match fun {
            "atomicLoad" => format!("let {name} = atomicLoad(&cells[{me}]);"),
            "atomicStore" => return self.line(format!("atomicStore(&cells[{me}], {value});")),
            "atomicCompareExchangeWeak" => {
                let expected = self.expr(I32, 1).text;
                let part = self.rng.pick(&[".old_value", ".old_value", ".exchanged"]);
                let call = format!("atomicCompareExchangeWeak(&cells[{me}], {expected}, {value}){part};");
                self.line(format!("let {name} = {call}"));
                let ty = if part == ".exchanged" { BOOL } else { I32 };
                return self.declare(&name, ty, false, false);
            }
            _ => format!("let {name} = {fun}(&cells[{me}], {value});"),
        };
        self.line(call);
        self.declare(&name, I32, false, false);
    }

    fn through_pointer(&mut self) {
        let helpers: Vec<usize> = (0..self.helpers.len()).filter(|&at| self.helpers[at].pointer.is_some()).collect();
        if helpers.is_empty() || self.loops > 1 {
            return self.assign();
        }
        let helper = self.helpers[self.rng.pick(&helpers)].clone();
        let Some(pointed) = helper.pointer else { return self.store() };
        let fits = |var: &&Var| var.ty == pointed && var.mutable && !var.uniform && !var.name.starts_with('(');
        let targets: Vec<String> = self.scope.iter().filter(fits).map(|var| var.name.clone()).collect();
        let private = |name: &String| !name.starts_with("p_");
        let targets: Vec<String> = targets.into_iter().filter(private).collect();
        if targets.is_empty() {
            let (name, value) = (self.name("v"), self.expr(pointed, 1).text);
            self.line(format!("var {name}: {} = {value};", pointed.name()));
            return self.declare(&name, pointed, true, false);
        }
        let target = targets[self.rng.below(targets.len())].clone();
        let mut args: Vec<String> = helper.params.iter().map(|&ty| self.expr(ty, 1).text).collect();
        args.push(format!("&{target}"));
        let name = self.name("v");
        self.line(format!("let {name} = {}({});", helper.name, args.join(", ")));
        self.declare(&name, helper.result, false, false);
    }

    /// A call to a helper of this type, as a part of an expression.
    pub(super) fn call(&mut self, ty: Ty, depth: usize) -> Option<String> {
        if self.uniform || self.loops > 1 || self.nesting > 0 {
            return None;
        }
        let fits = |at: &usize| self.helpers[*at].result == ty && self.helpers[*at].pointer.is_none();
        let helpers: Vec<usize> = (0..self.helpers.len()).filter(fits).collect();
        let helper = helpers.get(self.rng.below(helpers.len().max(1))).map(|&at| self.helpers[at].clone())?;
        let args: Vec<String> = helper.params.iter().map(|&ty| self.expr(ty, depth.min(1)).text).collect();
        Some(format!("{}({})", helper.name, args.join(", ")))
    }

    /// Each invocation writes its own element of workgroup memory, then all read all of them.
    fn exchange(&mut self) {
        let value = self.live(self.shared, 2);
        if self.rng.chance(25) {
            let index = self.live(U32, 1);
            let name = self.name("v");
            self.line(format!("let {name} = swap(lid, {value}, {index});"));
            return self.declare(&name, self.shared, false, false);
        }
        if self.rng.chance(30) {
            let condition = self.live(BOOL, 2);
            self.line(format!("if {condition} {{ shared_[lid] = {value}; }}"));
        } else {
            self.line(format!("shared_[lid] = {value};"));
        }
        self.barrier();
        let exits = self.exits;
        (self.exits, self.exchanges, self.shared_readable) = (Exits::default(), false, true);
        for _ in 0..=self.rng.below(3) {
            self.statement();
        }
        let name = self.name("v");
        let index = self.live(U32, 1);
        let keep = self.dialect.portable || self.rng.chance(60);
        let index = if keep { format!("{index} % {}u", self.size) } else { index };
        self.line(format!("let {name} = shared_[{index}];"));
        self.declare(&name, self.shared, false, false);
        (self.exits, self.exchanges, self.shared_readable) = (exits, true, false);
        self.barrier();
    }

    /// The same through storage memory, each workgroup with a part of its own.
    fn exchange_by_storage(&mut self) {
        let (size, value) = (self.size, self.live(self.board, 2));
        let base = format!("((wid.z * nwg.y + wid.y) * nwg.x + wid.x) * {size}u");
        let write = format!("board[{base} + lid] = {value};");
        if self.rng.chance(30) {
            let condition = self.live(BOOL, 2);
            self.line(format!("if {condition} {{ {write} }}"));
        } else {
            self.line(write);
        }
        self.line("storageBarrier();");
        let (name, index) = (self.name("v"), self.live(U32, 1));
        self.line(format!("let {name} = board[{base} + {index} % {size}u];"));
        self.declare(&name, self.board, false, false);
        self.line("storageBarrier();");
    }

    /// Ways out of loops and a switch that stand inside one another.
    fn thicket(&mut self) {
        let exits = self.exits;
        let (outer, inner) = (self.name("k"), self.name("k"));
        self.loops += 1;
        self.line(format!("for (var {outer} = 0u; {outer} < 3u; {outer}++) {{"));
        self.depth += 1;
        (self.exits.breaks, self.exits.continues) = (true, true);
        self.exit();
        self.line(format!("for (var {inner} = 0u; {inner} < 3u; {inner}++) {{"));
        self.depth += 1;
        let selector = self.live(U32, 1);
        self.line(format!("switch ({selector} & 3u) {{"));
        for case in ["case 0u", "case 1u, 2u", "default"] {
            self.line(format!("    {case}: {{"));
            self.depth += 2;
            self.assign();
            self.exit();
            self.assign();
            self.depth -= 2;
            self.line("    }");
        }
        self.line("}");
        self.exit();
        self.depth -= 1;
        self.line("}");
        self.assign();
        self.depth -= 1;
        self.line("}");
        self.loops -= 1;
        self.exits = exits;
    }

    /// One invocation decides, and all know it.
    fn broadcast(&mut self) {
        let value = self.live(U32, 2);
        let who = self.rng.below(self.size);
        self.line(format!("if lid == {who}u {{ chosen = {value}; }}"));
        let name = self.name("u");
        self.line(format!("let {name} = workgroupUniformLoad(&chosen);"));
        self.declare(&name, U32, false, !self.dialect.grid);
    }
}

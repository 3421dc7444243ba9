//! Loops in which each turn takes a row of an input: an element for each invocation, side by side.

use super::Gen;
use super::stmt::Exits;
use super::types::U32;

impl Gen {
    pub(super) fn rows(&mut self) {
        let (sum, at, size) = (self.name("v"), self.name("k"), self.size);
        let value = self.live(U32, 1);
        self.line(format!("var {sum} = {value};"));
        self.declare(&sum, U32, true, false);
        let whole = self.rng.chance(30);
        if whole {
            let turns = 1 + self.rng.below(5);
            self.line(format!("for (var turn = 0u; turn < {turns}u; turn++) {{"));
            let start = self.rng.pick(&["lid", "gid"]);
            self.line(format!("    let {at} = turn * {size}u + {start};"));
        } else {
            let start = self.rng.pick(&["lid", "gid", "gid + 3u", "lid + (un.u & 15u)", "lid * 2u"]);
            let step = match self.rng.below(4) {
                0 => format!("{size}u"),
                1 => format!("{}u", 2 * size),
                2 => format!("nwg.x * {size}u"),
                _ => format!("(un.u & 7u) + {size}u"),
            };
            let bound = match self.rng.below(3) {
                0 => "arrayLength(&in_u)".to_owned(),
                1 => format!("{}u", 2 * size + self.rng.below(4 * size)),
                _ => "(un.u & 255u)".to_owned(),
            };
            let test = match self.rng.below(4) {
                0 => format!("{bound} > {at}"),
                1 => format!("{at} <= {bound}"),
                2 => format!("{at} + 3u < {bound}"),
                _ => format!("{at} < {bound}"),
            };
            self.line(format!("for (var {at} = {start}; {test}; {at} += {step}) {{"));
        }
        let (together, exits) = (self.together, self.exits);
        (self.together, self.exits) = (false, Exits::default());
        self.depth += 1;
        for _ in 0..=self.rng.below(3) {
            self.take(&sum, &at);
        }
        self.depth -= 1;
        (self.together, self.exits) = (together, exits);
        self.line("}");
    }

    /// What a turn does with its element.
    fn take(&mut self, sum: &str, at: &str) {
        let element = format!("in_u[{}]", self.inside(at.to_owned(), "arrayLength(&in_u)"));
        let cell = |name: &str, length: &str| format!("{name}[{}]", self.inside(format!("({element} & 7u)"), length));
        let (add, wg_add) = (cell("at_add", "arrayLength(&at_add)"), cell("wg_add", "7u"));
        match self.rng.below(9) {
            0 => self.line(format!("if {at} < arrayLength(&in_u) {{ {sum} += {element}; }}")),
            1 => self.line(format!("if ({element} & 3u) == 1u {{ {sum} += {at}; }} else {{ {sum} = {sum} << 1u; }}")),
            2 => self.line(format!("if ({sum} & 3u) == 1u {{ {sum}++; continue; }}")),
            3 => self.line(format!("if ({sum} & 15u) == 9u {{ break; }}")),
            4 => self.line(format!("atomicAdd(&{add}, {sum});")),
            5 if self.gathering => self.line(format!("atomicAdd(&{wg_add}, 1u);")),
            6 => self.assign(),
            _ => self.line(format!("{sum} = {sum} * 3u + {element};")),
        }
    }
}

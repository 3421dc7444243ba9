//! Plans as text: what runs together, why, and the schedule.

use std::fmt;

use super::{Plan, Reason};
use crate::graph::{BlockId, Condition, DataId, Repeat, What, Why};

/// A line of a plan's outline: what it is about, and how many blocks it is inside of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// Blocks around it.
    pub depth: usize,
    /// What it is about.
    pub what: Part,
}

/// What a plan is made of, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A loop or a branch begins.
    Begin(BlockId),
    /// A group of waves.
    Group(u32),
    /// A turn of this loop ends with data that change places.
    Swaps(BlockId),
}

impl Plan {
    /// How much is done in how many groups: `3 waves in 2 groups`. The fetching of an output that is
    /// counted on the device is told too, since it has a place in a group like a wave.
    pub fn summary(&self) -> String {
        let count = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
        let fetches = self.groups.iter().flatten().filter(|&&node| matches!(self.graph.node(node), What::Fetch(_)));
        let waves = count(self.graph.waves.len(), "wave", "waves");
        let groups = count(self.groups.len(), "group", "groups");
        match fetches.count() {
            0 => format!("{waves} in {groups}"),
            n => {
                let fetches = count(n, "fetch of a counted output", "fetches of counted outputs");
                format!("{waves} and {fetches}, in {groups}")
            }
        }
    }

    /// A reason in the caller's names.
    pub fn explain(&self, reason: &Reason) -> String {
        let data = |id: &DataId| &self.graph.data[id.0 as usize].name;
        match reason {
            Reason::Barrier { group, before, after, why } => {
                let (before, after) = (self.graph.node_name(*before), self.graph.node_name(*after));
                let because = match why {
                    Why::After => format!("`{after}` is to come after `{before}`"),
                    Why::ReadAfterWrite { data: id } => {
                        format!("`{after}` reads `{}` after `{before}` writes it", data(id))
                    }
                    Why::WriteAfterRead { data: id } => {
                        format!("`{after}` writes `{}` after `{before}` reads it", data(id))
                    }
                    Why::WriteAfterWrite { data: id } => {
                        format!("`{after}` writes `{}` after `{before}` does", data(id))
                    }
                };
                format!("group {group} waits: {because}")
            }
            Reason::Split { group, required_bytes, limit_bytes } => {
                format!("group {group} is apart: with the one before it takes {required_bytes} of {limit_bytes} bytes")
            }
            Reason::Evicted { group, data: id, stored, next } => {
                let how = if *stored { "stored on the host" } else { "dropped" };
                format!("`{}` is {how} to make room for group {group}, and comes back for group {next}", data(id))
            }
            Reason::Waited { group, bytes } => {
                format!("group {group} waits for {bytes} bytes that do not fit beside the stage before")
            }
        }
    }

    /// Groups, and the loops and branches around them, in order.
    pub fn outline(&self) -> Vec<Line> {
        let parent = |block: &BlockId| self.graph.blocks[block.0 as usize].parent;
        let (mut lines, mut open) = (Vec::new(), Vec::<BlockId>::new());
        for (group, within) in self.within.iter().enumerate() {
            let mut around: Vec<BlockId> = std::iter::successors(*within, parent).collect();
            around.reverse();
            let same = open.iter().zip(&around).take_while(|(before, now)| before == now).count();
            self.close(&mut open, same, &mut lines);
            for block in around.drain(same..) {
                lines.push(Line { depth: open.len(), what: Part::Begin(block) });
                open.push(block);
            }
            lines.push(Line { depth: open.len(), what: Part::Group(group as u32) });
        }
        self.close(&mut open, 0, &mut lines);
        lines
    }

    /// Ends the innermost blocks until so many are left.
    fn close(&self, open: &mut Vec<BlockId>, left: usize, lines: &mut Vec<Line>) {
        while open.len() > left {
            let depth = open.len();
            let ended = open.pop().filter(|block| !self.graph.blocks[block.0 as usize].swaps.is_empty());
            lines.extend(ended.map(|block| Line { depth, what: Part::Swaps(block) }));
        }
    }

    /// How often a loop or a branch runs, as in `while count is not zero, at most 9 turns`.
    pub fn decides(&self, block: BlockId) -> String {
        let asked = |Condition { word, zero }: Condition| {
            let name = &self.graph.data[word.data.0 as usize].name;
            let at = if word.offset == 0 { String::new() } else { format!("the word at byte {} of ", word.offset) };
            format!("{at}`{name}` is {}zero", if zero { "" } else { "not " })
        };
        match self.graph.blocks[block.0 as usize].repeat {
            Repeat::When { condition } => format!("if {}", asked(condition)),
            Repeat::Loop { condition: None, limit } => turns(limit),
            Repeat::Loop { condition: Some(condition), limit: u32::MAX } => format!("while {}", asked(condition)),
            Repeat::Loop { condition: Some(condition), limit } => {
                format!("while {}, at most {}", asked(condition), turns(limit))
            }
        }
    }

    /// A line of the outline, as text.
    pub fn line(&self, line: &Line) -> String {
        let graph = &self.graph;
        let text = match line.what {
            Part::Begin(id) => {
                let block = &graph.blocks[id.0 as usize];
                let kind = if matches!(block.repeat, Repeat::Loop { .. }) { "loop" } else { "branch" };
                format!("{kind} `{}`, {}:", block.name, self.decides(id))
            }
            Part::Group(group) => {
                let nodes = &self.groups[group as usize];
                let names: Vec<String> = nodes.iter().map(|&node| format!("`{}`", graph.node_name(node))).collect();
                format!("group {group}: {}", names.join(", "))
            }
            Part::Swaps(id) => {
                let name = |id: DataId| &graph.data[id.0 as usize].name;
                let swaps = &graph.blocks[id.0 as usize].swaps;
                let pairs: Vec<String> =
                    swaps.iter().map(|&(one, other)| format!("`{}` and `{}`", name(one), name(other))).collect();
                format!("swap {}", pairs.join(", "))
            }
        };
        format!("{:1$}{text}", "", 2 * line.depth)
    }
}

fn turns(count: u32) -> String {
    format!("{count} turn{}", if count == 1 { "" } else { "s" })
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let graph = &self.graph;
        writeln!(f, "plan: {}", self.summary())?;
        for line in self.outline() {
            writeln!(f, "{}", self.line(&line))?;
        }
        for choice in &graph.choices {
            writeln!(f, "{choice}")?;
        }
        for reason in &self.reasons {
            writeln!(f, "{}", self.explain(reason))?;
        }
        for (queue, plan) in graph.queues.iter().zip(&self.queues) {
            write!(f, "`{}`, a {plan}", queue.name)?;
        }
        write!(f, "{}", self.schedule)
    }
}

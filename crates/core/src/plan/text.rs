//! Plans as text: what runs together, why, and the schedule.

use std::fmt;

use super::{Plan, Reason};
use crate::graph::{BlockId, DataId, Why};

impl Plan {
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
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let graph = &self.graph;
        writeln!(f, "plan: {} waves in {} groups", graph.waves.len(), self.groups.len())?;
        for (at, (group, within)) in self.groups.iter().zip(&self.within).enumerate() {
            let parent = |block: &BlockId| graph.blocks[block.0 as usize].parent;
            let mut around: Vec<&str> = std::iter::successors(*within, parent)
                .map(|block| graph.blocks[block.0 as usize].name.as_str())
                .collect();
            around.reverse();
            let inside = if around.is_empty() { String::new() } else { format!(" in `{}`", around.join("`, `")) };
            write!(f, "group {at}{inside}:")?;
            group.iter().try_for_each(|&node| write!(f, " `{}`", graph.node_name(node)))?;
            writeln!(f)?;
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

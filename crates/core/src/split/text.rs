//! A split as text.

use std::fmt;

use super::{Scope, Split, Step, While};

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Grid => "once",
            Self::Workgroup | Self::Shared => "for each workgroup",
            Self::Invocation => "for each invocation",
        })
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |at: &u32| {
            let name = &self.kept[*at as usize].name;
            name.clone().unwrap_or_else(|| format!("value {at}"))
        };
        let count = self.segments.len();
        writeln!(f, "{count} segments, {} bytes kept for each invocation", self.invocation_bytes())?;
        for (at, kept) in self.kept.iter().enumerate() {
            writeln!(f, "kept {}: {} bytes {}", name(&(at as u32)), kept.bytes, kept.scope)?;
        }
        let mut depth = 0;
        for step in &self.steps {
            depth -= usize::from(*step == Step::End).min(depth);
            write!(f, "{:1$}", "", 2 * depth)?;
            match *step {
                Step::Run { segment, .. } => {
                    let one = &self.segments[segment as usize];
                    write!(f, "segment {} of {count}", segment + 1)?;
                    for (what, places) in [("brings back", &one.loads), ("keeps", &one.stores)] {
                        if !places.is_empty() {
                            write!(f, ", {what} {}", places.iter().map(name).collect::<Vec<_>>().join(", "))?;
                        }
                    }
                    writeln!(f)?;
                }
                Step::Loop { how: While::Word(word), .. } => writeln!(f, "loop while word {word} is not zero")?,
                Step::Loop { how: While::Turns(turns), .. } => writeln!(f, "loop, {turns} turns")?,
                Step::When { word, zero } => {
                    writeln!(f, "when word {word} is {}", if zero { "zero" } else { "not zero" })?;
                }
                Step::End => writeln!(f, "end")?,
            }
            depth += usize::from(matches!(step, Step::Loop { .. } | Step::When { .. }));
        }
        Ok(())
    }
}

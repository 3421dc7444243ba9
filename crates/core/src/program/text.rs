//! The stable text form of a program.

use std::fmt;

use super::{Buffer, Needs, Other, Program, effects, needs, overrides, table};

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for item in overrides::list(&self.module) {
            write!(f, "override")?;
            if !item.name.is_empty() {
                write!(f, " {}", item.name)?;
            }
            if let Some(id) = item.id {
                write!(f, " @id({id})")?;
            }
            writeln!(f, ": {}{}", item.scalar, if item.has_default { " = default" } else { "" })?;
        }
        for (index, point) in self.module.entry_points.iter().enumerate() {
            let touched = effects::of(&self.module, &point.function);
            writeln!(f, "entry {}", point.name)?;
            // A dimension that an override decides has no number yet.
            let decided_later = |i: usize| point.workgroup_size_overrides.is_some_and(|by| by[i].is_some());
            let size = |i: usize| {
                if decided_later(i) { "override".to_owned() } else { point.workgroup_size[i].to_string() }
            };
            writeln!(f, "  workgroup size {} {} {}", size(0), size(1), size(2))?;
            match needs::workgroup_bytes(&self.module, &touched) {
                Some(0) => {}
                Some(bytes) => writeln!(f, "  workgroup bytes {bytes}")?,
                None => writeln!(f, "  workgroup bytes override")?,
            }
            for buffer in table::buffers(&self.module, &touched) {
                writeln!(f, "  {buffer}")?;
            }
            write!(f, "{}", needs::of(&self.module, &self.info, index, &touched))?;
        }
        for Other { name, stage, .. } in &self.others {
            writeln!(f, "{stage} {name}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { group, binding, name, ty, min_bytes, effects, .. } = self;
        let place = if self.immediate { String::new() } else { format!("{group}.{binding} ") };
        write!(f, "buffer {place}{name}: {ty}, {}, {min_bytes} bytes at least,", self.declared())?;
        let done = [(effects.reads, " reads"), (effects.writes, " writes"), (effects.updates, " updates")];
        if done.iter().all(|(done, _)| !done) {
            f.write_str(" untouched")?;
        }
        done.iter().filter(|(done, _)| *done).try_for_each(|(_, word)| f.write_str(word))
    }
}

impl fmt::Display for Needs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.list().iter().try_for_each(|(word, _)| writeln!(f, "  needs {word}"))
    }
}

//! What buffers hold at the start, and where they go at the end.

use std::path::Path;

use bytemuck::Pod;
use seawall_mpi::{Cluster, Compiled, Part, Rows};

use crate::error::Error;
use crate::job::Job;
use crate::schema::{Buffer, Type};

/// A number of a buffer, as sources and values say it.
pub(crate) fn number(ty: Type, value: f64) -> Option<[u8; 4]> {
    let whole = value.fract() == 0.0;
    match ty {
        Type::F32 => Some((value as f32).to_le_bytes()),
        Type::U32 if whole && (0.0..=f64::from(u32::MAX)).contains(&value) => Some((value as u32).to_le_bytes()),
        Type::I32 if whole && (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&value) => {
            Some((value as i32).to_le_bytes())
        }
        Type::U32 | Type::I32 => None,
    }
}

/// How a buffer is shared out.
pub(crate) fn part(cluster: &Cluster, says: &Buffer) -> Result<Part, String> {
    let shaped = says.width.is_some() || says.halo.is_some();
    match (says.rows, &says.offsets, says.replicated, says.local) {
        (None, None, Some(len), None) if !shaped => Ok(Part::Replicated { len }),
        (None, None, None, Some(len)) if !shaped => Ok(Part::Local { len }),
        (rows, offsets, None, None) if rows.is_some() != offsets.is_some() => {
            let rows = match (rows, offsets) {
                (Some(rows), _) => cluster.block(rows),
                (None, offsets) => {
                    Rows::at(offsets.as_deref().unwrap_or_default()).map_err(|error| error.to_string())?
                }
            };
            Ok(Part::Rows(rows.width(says.width.unwrap_or(1)).halo(says.halo.unwrap_or(0))))
        }
        _ => Err("must have one of rows, offsets, replicated and local; width and halo go with rows".to_owned()),
    }
}

impl Job {
    /// Writes the sources into this rank's memory. Rows begin at row `first` of the whole.
    pub(crate) fn write(&self, cluster: &Cluster, compiled: &Compiled<'_>) -> Result<(), Error> {
        for (name, says) in &self.buffers {
            let Some(source) = &says.source else { continue };
            let part = &self.parts[name];
            let whole = match part {
                Part::Rows(rows) => rows.len(),
                Part::Replicated { len } | Part::Local { len } => *len,
            };
            let bytes = self.source(name, says.ty, source, whole)?;
            match says.ty {
                Type::U32 => write::<u32>(cluster, compiled, name, part, &bytes)?,
                Type::I32 => write::<i32>(cluster, compiled, name, part, &bytes)?,
                Type::F32 => write::<f32>(cluster, compiled, name, part, &bytes)?,
            }
        }
        Ok(())
    }

    fn source(&self, name: &str, ty: Type, source: &str, elements: u64) -> Result<Vec<u8>, Error> {
        let wrong = |why: String| self.wrong("buffer", name, why);
        let all = |of: &dyn Fn(u64) -> f64| {
            let one = |i| number(ty, of(i)).ok_or_else(|| wrong(format!("cannot hold {}", of(i))));
            (0..elements).map(one).collect::<Result<Vec<_>, _>>().map(|all| all.concat())
        };
        match source {
            "zeros" => all(&|_| 0.0),
            "iota" => all(&|i| i as f64),
            _ if source.starts_with("fill:") => {
                let value = source["fill:".len()..].parse::<f64>();
                let value = value.map_err(|_| wrong(format!("is to be filled with `{source}`, which is no number")))?;
                all(&|_| value)
            }
            _ => {
                let path = self.directory.join(source);
                let bytes = std::fs::read(&path).map_err(|error| Error::file("read", &path, &error))?;
                if bytes.len() as u64 != 4 * elements {
                    return Err(wrong(format!("has {} bytes, and {source} has {}", 4 * elements, bytes.len())));
                }
                Ok(bytes)
            }
        }
    }

    /// Writes outputs, from the first rank; what is local is the first rank's.
    pub(crate) fn save(&self, cluster: &Cluster, compiled: &Compiled<'_>) -> Result<(), Error> {
        for (name, says) in &self.buffers {
            let Some(output) = &says.output else { continue };
            let bytes = match says.ty {
                Type::U32 => read::<u32>(cluster, compiled, name, &self.parts[name]),
                Type::I32 => read::<i32>(cluster, compiled, name, &self.parts[name]),
                Type::F32 => read::<f32>(cluster, compiled, name, &self.parts[name]),
            }?;
            cluster.agree_as(bytes.map_or(Ok(()), |bytes| publish(&self.directory.join(output), &bytes)))?;
        }
        Ok(())
    }
}

fn write<T: Pod>(
    cluster: &Cluster,
    compiled: &Compiled<'_>,
    name: &str,
    part: &Part,
    bytes: &[u8],
) -> Result<(), Error> {
    let whole: Vec<T> = bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect();
    Ok(match part {
        Part::Rows(rows) => compiled.write(name, &rows.cut(cluster.rank(), &whole)?),
        Part::Replicated { .. } | Part::Local { .. } => compiled.write(name, &whole),
    }?)
}

/// The whole, on the first rank.
fn read<T: Pod>(cluster: &Cluster, compiled: &Compiled<'_>, name: &str, part: &Part) -> Result<Option<Vec<u8>>, Error> {
    let mine = cluster.agree(compiled.read::<T>(name))?;
    let whole = match part {
        Part::Rows(rows) => cluster.collect(rows, &mine)?,
        Part::Replicated { .. } | Part::Local { .. } => (cluster.rank() == 0).then_some(mine),
    };
    Ok(whole.map(|whole| bytemuck::cast_slice(&whole).to_vec()))
}

/// A file that is whole, or as it was.
fn publish(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    std::fs::write(&beside, bytes).map_err(|error| Error::file("write", Path::new(&beside), &error))?;
    std::fs::rename(&beside, path).map_err(|error| Error::file("rename", Path::new(&beside), &error))
}

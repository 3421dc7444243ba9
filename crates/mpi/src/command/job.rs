//! From what a job file says to a graph.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use seawall::{Element, Kernel, Overrides, Program, layout::Scalar, layout::Type as Layout};
use seawall_mpi::{Cluster, Graph, Op, Order, Part};

use crate::data::{number, part};
use crate::error::Error;
use crate::schema::{Bind, Buffer, Exchange, File, Loop, Numbers, Type, Value, Wave};

/// A job, read and looked up.
pub(crate) struct Job {
    pub(crate) graph: Graph,
    pub(crate) buffers: BTreeMap<String, Buffer>,
    pub(crate) parts: HashMap<String, Part>,
    path: String,
    pub(crate) directory: PathBuf,
    rank: usize,
    programs: HashMap<String, Program>,
}

impl Job {
    /// Reads the file and the programs that it names.
    pub(crate) fn read(cluster: &Cluster, path: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path).map_err(|error| Error::file("read", path, &error))?;
        let told = path.display().to_string();
        let file: File =
            toml::from_str(&text).map_err(|error| Error::Syntax { path: told.clone(), message: error.to_string() })?;
        let mut job = Self {
            graph: cluster.graph(),
            buffers: file.buffers,
            parts: HashMap::new(),
            path: told,
            directory: path.parent().map(Path::to_owned).unwrap_or_default(),
            rank: cluster.rank(),
            programs: HashMap::new(),
        };
        job.declare(cluster)?;
        if let Some(bytes) = file.budget {
            job.graph.budget_bytes(bytes);
        }
        for (name, of) in &file.loops {
            job.parent(&file.loops, name, of)?;
        }
        let waves: Vec<&Wave> = file.waves.iter().collect();
        job.level(&file.loops, &waves, 0)?;
        Ok(job)
    }

    pub(crate) fn wrong(&self, what: &'static str, name: &str, why: impl Into<String>) -> Error {
        Error::Wrong { path: self.path.clone(), what, name: name.to_owned(), why: why.into() }
    }

    fn declare(&mut self, cluster: &Cluster) -> Result<(), Error> {
        for (name, says) in &self.buffers {
            let part = part(cluster, says).map_err(|why| self.wrong("buffer", name, why))?;
            let graph = &mut self.graph;
            match (&part, says.ty) {
                (Part::Rows(rows), Type::U32) => graph.rows::<u32>(name, rows),
                (Part::Rows(rows), Type::I32) => graph.rows::<i32>(name, rows),
                (Part::Rows(rows), Type::F32) => graph.rows::<f32>(name, rows),
                (Part::Replicated { len }, Type::U32) => graph.replicated::<u32>(name, *len),
                (Part::Replicated { len }, Type::I32) => graph.replicated::<i32>(name, *len),
                (Part::Replicated { len }, Type::F32) => graph.replicated::<f32>(name, *len),
                (Part::Local { len }, Type::U32) => graph.local::<u32>(name, *len),
                (Part::Local { len }, Type::I32) => graph.local::<i32>(name, *len),
                (Part::Local { len }, Type::F32) => graph.local::<f32>(name, *len),
            };
            self.parts.insert(name.clone(), part);
        }
        Ok(())
    }

    /// The loops that a name stands for, the outermost first.
    fn path(&self, loops: &BTreeMap<String, Loop>, within: Option<&String>) -> Result<Vec<String>, Error> {
        let mut path = Vec::new();
        let mut next = within;
        while let Some(name) = next {
            let of = loops.get(name).ok_or_else(|| self.wrong("loop", name, "is nowhere described"))?;
            if path.contains(name) {
                return Err(self.wrong("loop", name, "is inside of itself"));
            }
            path.push(name.clone());
            next = of.within.as_ref();
        }
        path.reverse();
        Ok(path)
    }

    fn parent(&self, loops: &BTreeMap<String, Loop>, name: &str, of: &Loop) -> Result<(), Error> {
        self.path(loops, Some(&name.to_owned()))?;
        if of.while_nonzero.is_some() && of.until.is_some() || of.times.is_some() && of.limit.is_some() {
            return Err(self.wrong("loop", name, "has two ends: while or until, and times or limit"));
        }
        Ok(())
    }

    /// Waves that stand `depth` loops deep, or deeper.
    fn level(&mut self, loops: &BTreeMap<String, Loop>, waves: &[&Wave], depth: usize) -> Result<(), Error> {
        let mut at = 0;
        while at < waves.len() {
            let path = self.path(loops, waves[at].within.as_ref())?;
            let Some(name) = path.get(depth) else {
                self.add(waves[at])?;
                at += 1;
                continue;
            };
            let mut end = at;
            while end < waves.len() && self.path(loops, waves[end].within.as_ref())?.get(depth) == Some(name) {
                end += 1;
            }
            self.repeat(loops, name, &waves[at..end], depth)?;
            at = end;
        }
        Ok(())
    }

    fn repeat(
        &mut self,
        loops: &BTreeMap<String, Loop>,
        name: &str,
        waves: &[&Wave],
        depth: usize,
    ) -> Result<(), Error> {
        let of = &loops[name];
        // The loop's body is described as the graph itself is.
        let mut graph = self.graph.clone();
        let mut done = Ok(());
        let mut repeat = graph.repeat(name, |body| {
            std::mem::swap(&mut self.graph, body);
            done = self.level(loops, waves, depth + 1);
            for [first, second] in &of.swap {
                self.graph.swap(first, second);
            }
            std::mem::swap(&mut self.graph, body);
        });
        if let Some(word) = &of.while_nonzero {
            repeat.while_nonzero(word);
        }
        if let Some(word) = &of.until {
            repeat.while_zero(word);
        }
        if let Some(turns) = of.times.or(of.limit) {
            repeat.limit(turns);
        }
        if of.must_end {
            repeat.must_end();
        }
        self.graph = graph;
        done
    }

    fn add(&mut self, wave: &Wave) -> Result<(), Error> {
        match (&wave.program, wave.exchange) {
            (Some(program), None) => self.wave(wave, program),
            (None, Some(exchange)) => self.exchange(wave, exchange),
            _ => Err(self.wrong("wave", &wave.name, "must have a program or an exchange")),
        }
    }

    fn exchange(&mut self, wave: &Wave, exchange: Exchange) -> Result<(), Error> {
        let need = |said: &Option<String>, key: &str| {
            said.clone().ok_or_else(|| self.wrong("exchange", &wave.name, format!("does not say `{key}`")))
        };
        let (name, of) = (wave.name.as_str(), need(&wave.of, "of")?);
        let order = if wave.ordered == Some(true) { Order::Ranks } else { Order::Any };
        let op = match exchange {
            Exchange::Halo => {
                let into = wave.into.as_ref().unwrap_or(&of);
                self.graph.halo_into(name, &of, into);
                return Ok(());
            }
            Exchange::AllGather => {
                let into = need(&wave.into, "into")?;
                self.graph.all_gather(name, &of, &into);
                return Ok(());
            }
            Exchange::AllToAll => {
                let into = need(&wave.into, "into")?;
                let (counts, received) = (need(&wave.counts, "counts")?, need(&wave.received, "received")?);
                self.graph.all_to_all(name, &of, &counts, &into, &received);
                return Ok(());
            }
            Exchange::Sum => Op::Sum,
            Exchange::Min => Op::Min,
            Exchange::Max => Op::Max,
            Exchange::Or => Op::Or,
        };
        match self.buffers.get(&of).map(|says| says.ty) {
            // An unknown name is told by the graph.
            Some(Type::U32) | None => self.graph.all_reduce_by::<u32>(name, &of, op, order),
            Some(Type::I32) => self.graph.all_reduce_by::<i32>(name, &of, op, order),
            Some(Type::F32) => self.graph.all_reduce_by::<f32>(name, &of, op, order),
        };
        Ok(())
    }

    fn wave(&mut self, wave: &Wave, program: &str) -> Result<(), Error> {
        let kernel = self.kernel(wave, program)?;
        let mut values = Vec::new();
        for (row, bind) in &wave.bind {
            values.push((row, self.bound(wave, &kernel, row, bind)?));
        }
        let name = &wave.name;
        let wrong =
            |why: &str| Error::Wrong { path: self.path.clone(), what: "wave", name: name.clone(), why: why.to_owned() };
        let mut made = self.graph.wave(name, &kernel);
        for (row, bound) in values {
            match bound {
                Bound::Data(data) => made.bind(row, &data),
                Bound::Value(bytes, element) => made.value_of(row, &bytes, element),
            };
        }
        // Those that the file does not name have the buffer of the same name.
        for row in kernel.buffers.iter().filter(|row| !wave.bind.contains_key(&row.name)) {
            made.bind(&row.name, &row.name);
        }
        match (&wave.over, wave.threads, wave.workgroups) {
            (Some(over), None, None) => made.over(over),
            (None, Some(threads), None) => made.threads(threads.all()),
            (None, None, Some(workgroups)) => made.workgroups(workgroups.all()),
            _ => return Err(wrong("must have one of over, threads and workgroups")),
        };
        Ok(())
    }

    fn kernel(&mut self, wave: &Wave, path: &str) -> Result<Arc<Kernel>, Error> {
        let from = self.directory.join(path);
        if !self.programs.contains_key(path) {
            let text = std::fs::read_to_string(&from).map_err(|error| Error::file("read", &from, &error))?;
            let program = Program::wgsl(&text).map_err(|report| Error::Program(format!("{path}: {report}")))?;
            self.programs.insert(path.to_owned(), program);
        }
        let program = &self.programs[path];
        let entries: Vec<&str> = program.entries().collect();
        let entry = match (&wave.entry, entries.as_slice()) {
            (Some(entry), _) => entry.as_str(),
            (None, [only]) => only,
            (None, _) => {
                return Err(self.wrong("wave", &wave.name, format!("must choose an entry: {}", entries.join(", "))));
            }
        };
        let overrides: Overrides = wave.set.iter().map(|(name, value)| (name.clone(), *value)).collect();
        program.kernel(entry, &overrides).map_err(|report| Error::Program(format!("{path}: {report}")))
    }

    fn bound(&self, wave: &Wave, kernel: &Kernel, row: &str, bind: &Bind) -> Result<Bound, Error> {
        let numbers = match bind {
            Bind::Data(data) => return Ok(Bound::Data(data.clone())),
            Bind::Value(Value { value: Numbers::One(one) }) => vec![*one],
            Bind::Value(Value { value: Numbers::Many(many) }) => many.clone(),
            Bind::First(of) => match self.parts.get(&of.first) {
                Some(Part::Rows(rows)) => vec![rows.own(self.rank).start as f64],
                _ => {
                    return Err(self.wrong(
                        "wave",
                        &wave.name,
                        format!("asks for the first row of `{}`, which has none", of.first),
                    ));
                }
            },
        };
        let Some(buffer) = kernel.buffers.iter().find(|buffer| buffer.name == row) else {
            // The graph tells what there is.
            return Ok(Bound::Data(String::new()));
        };
        let no_numbers = || self.wrong("wave", &wave.name, format!("cannot bind numbers to `{row}: {}`", buffer.ty));
        let (Layout::Scalar(leaf) | Layout::Vector { scalar: leaf, .. }) = &buffer.ty else { return Err(no_numbers()) };
        let ty = match *leaf {
            Scalar::U32 => Type::U32,
            Scalar::I32 => Type::I32,
            Scalar::F32 => Type::F32,
            _ => return Err(no_numbers()),
        };
        let bytes = numbers.iter().map(|&value| {
            number(ty, value)
                .ok_or_else(|| self.wrong("wave", &wave.name, format!("cannot bind {value} to `{row}: {}`", buffer.ty)))
        });
        let bytes = bytes.collect::<Result<Vec<_>, _>>()?.concat();
        let element = Element::numbers(*leaf, bytes.len() as u64, "numbers");
        Ok(Bound::Value(bytes, element))
    }
}

enum Bound {
    Data(String),
    Value(Vec<u8>, Element),
}

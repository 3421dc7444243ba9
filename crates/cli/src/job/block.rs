//! The loops and branches of a job: which waves are in which, and what decides about them.
//!
//! Waves stand in the order of the file and name the block they are in; blocks name the one around
//! them. So a block is in one piece if its waves stand next to each other.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use seawall::core::graph::{self, Control, Graph};
use seawall::core::layout::{Scalar, Type};
use seawall::program::{Access, Buffer, Effects};
use toml::Spanned;

use super::fault::Fault;
use super::schema::{Branch, File, Loop, Word};
use crate::error::Error;

/// What the file says of a block.
#[derive(Clone, Copy)]
enum Says<'a> {
    Loop(&'a Loop),
    Branch(&'a Branch),
}

/// One, and what it is in.
#[derive(Clone, Copy)]
struct Entry<'a> {
    name: &'a Spanned<String>,
    says: Says<'a>,
}

impl<'a> Entry<'a> {
    fn named(&self) -> &'a str {
        self.name.get_ref()
    }

    fn within(&self) -> Option<&'a Spanned<String>> {
        match self.says {
            Says::Loop(says) => says.within.as_ref(),
            Says::Branch(says) => says.within.as_ref(),
        }
    }

    /// All that it says of words that decide.
    fn words(&self) -> [Option<&'a Spanned<Word>>; 2] {
        match self.says {
            Says::Loop(says) => [says.while_nonzero.as_ref(), says.until.as_ref()],
            Says::Branch(says) => [says.if_nonzero.as_ref(), says.unless.as_ref()],
        }
    }

    fn swaps(&self) -> &'a [Spanned<[String; 2]>] {
        match self.says {
            Says::Loop(says) => &says.swap,
            Says::Branch(_) => &[],
        }
    }
}

fn entries(file: &File) -> impl Iterator<Item = Entry<'_>> {
    let loops = file.loops.iter().map(|(name, says)| Entry { name, says: Says::Loop(says) });
    let branches = file.branches.iter().map(|(name, says)| Entry { name, says: Says::Branch(says) });
    loops.chain(branches)
}

/// The buffers that blocks name, with where they do.
pub(super) fn buffers(file: &File) -> impl Iterator<Item = (&str, Range<usize>)> {
    entries(file).flat_map(|entry| {
        let words = entry.words().into_iter().flatten().map(|word| (word.get_ref().buffer(), word.span()));
        let swaps =
            entry.swaps().iter().flat_map(|pair| pair.get_ref().iter().map(|name| (name.as_str(), pair.span())));
        words.chain(swaps)
    })
}

/// Types for buffers that no wave binds: one that only decides is a word, and one that only changes
/// places is what it changes places with.
pub(super) fn rows<'a>(file: &File, known: &HashSet<&'a str>, rows: &mut HashMap<&'a str, Buffer>) {
    let word = |name: &str| Buffer {
        name: name.to_owned(),
        group: 0,
        binding: 0,
        access: Access::Read,
        ty: Type::Scalar(Scalar::U32),
        min_bytes: 4,
        effects: Effects::default(),
        span: None,
    };
    let pairs: Vec<&[String; 2]> = entries(file).flat_map(|entry| entry.swaps()).map(Spanned::get_ref).collect();
    // Each round finds one at least, or is the last.
    for _ in 0..=pairs.len() {
        for [first, second] in pairs.iter().copied() {
            for (one, other) in [(first, second), (second, first)] {
                if let (Some(name), Some(row)) = (known.get(one.as_str()), rows.get(other.as_str()).cloned()) {
                    rows.entry(name).or_insert(row);
                }
            }
        }
    }
    for decides in entries(file).flat_map(|entry| entry.words()).flatten() {
        if let Some(name) = known.get(decides.get_ref().buffer()) {
            rows.entry(name).or_insert_with(|| word(name));
        }
    }
}

/// Adds the blocks of the file to its graph.
pub(super) fn add(file: &File, graph: &mut Graph, fault: &Fault) -> Result<(), Error> {
    let mut all: HashMap<&str, Entry<'_>> = HashMap::new();
    for entry in entries(file) {
        if let Some(other) = all.insert(entry.named(), entry) {
            let message = format!("`{}` is both a loop and a branch", entry.named());
            return Err(fault.block_and(message, (entry.name.span(), "the branch"), (other.name.span(), "the loop")));
        }
    }
    let walk = Walk { file, all, fault };
    walk.blocks(graph)
}

struct Walk<'a> {
    file: &'a File,
    all: HashMap<&'a str, Entry<'a>>,
    fault: &'a Fault,
}

impl<'a> Walk<'a> {
    /// What a wave or a block is in, from the outermost on.
    fn chain(&self, innermost: Option<&'a Spanned<String>>) -> Result<Vec<Entry<'a>>, Error> {
        let (mut chain, mut next) = (Vec::new(), innermost);
        while let Some(name) = next {
            let Some(&entry) = self.all.get(name.get_ref().as_str()) else {
                let mut known: Vec<&str> = self.all.keys().copied().collect();
                known.sort_unstable();
                return Err(self.fault.unknown("loop or branch", name.get_ref(), &known, name.span()));
            };
            if chain.iter().any(|inner: &Entry<'_>| inner.named() == entry.named()) {
                let message = format!("`{}` is inside of itself", entry.named());
                return Err(self.fault.block(message, name.span(), "this goes round", None));
            }
            chain.push(entry);
            next = entry.within();
        }
        chain.reverse();
        Ok(chain)
    }

    fn blocks(&self, graph: &mut Graph) -> Result<(), Error> {
        // Those that a wave is in, and their places in the graph; and those that go on.
        let (mut places, mut open): (HashMap<&str, usize>, Vec<Entry<'a>>) = (HashMap::new(), Vec::new());
        for (at, wave) in self.file.waves.iter().enumerate() {
            let chain = self.chain(wave.within.as_ref())?;
            let same = open.iter().zip(&chain).take_while(|(a, b)| a.named() == b.named()).count();
            open.truncate(same);
            for entry in &chain[same..] {
                if let Some(&before) = places.get(entry.named()) {
                    let last = graph.blocks[before].waves.end - 1;
                    let message = format!("the waves of `{}` do not stand next to each other", entry.named());
                    let here = wave.within.as_ref().map_or(0..0, Spanned::span);
                    let ended = self.file.waves[last].name.span();
                    return Err(self.fault.block_and(message, (here, "in it again"), (ended, "it ended after this")));
                }
                places.insert(entry.named(), graph.blocks.len());
                let (name, control) = (entry.named().to_owned(), self.control(entry)?);
                graph.blocks.push(graph::Block { name, waves: at..at, control });
                open.push(*entry);
            }
            for entry in &open {
                graph.blocks[places[entry.named()]].waves.end = at + 1;
            }
        }
        let mut unused: Vec<&Entry<'_>> =
            self.all.values().filter(|entry| !places.contains_key(entry.named())).collect();
        unused.sort_by_key(|entry| entry.name.span().start);
        match unused.first() {
            Some(entry) => {
                self.chain(entry.within())?;
                let help = format!("say in = \"{}\" at its waves, or leave it out", entry.named());
                let message = format!("no wave is in `{}`", entry.named());
                Err(self.fault.block(message, entry.name.span(), "nothing to run", Some(help)))
            }
            None => Ok(()),
        }
    }

    fn control(&self, entry: &Entry<'_>) -> Result<Control, Error> {
        // Until it is not zero is while it is.
        let word = match entry.words() {
            [Some(_), Some(second)] => {
                let (one, other) = match entry.says {
                    Says::Loop(_) => ("while", "until"),
                    Says::Branch(_) => ("if", "unless"),
                };
                let help = format!("{one} and {other} exclude each other");
                let message = format!("two words decide about `{}`", entry.named());
                return Err(self.fault.block(message, second.span(), "one of them", Some(help)));
            }
            [Some(word), None] => Some((word, false)),
            [None, Some(word)] => Some((word, true)),
            [None, None] => None,
        };
        let decides = word.map(|(word, zero)| {
            let word = word.get_ref();
            graph::Word { data: word.buffer().into(), offset: word.offset(), zero }
        });
        let undecided = |help: &str| {
            let message = format!("nothing decides about `{}`", entry.named());
            Err(self.fault.block(message, entry.name.span(), "how often?", Some(help.to_owned())))
        };
        let says = match entry.says {
            Says::Loop(says) => says,
            Says::Branch(_) if decides.is_none() => {
                return undecided("name the word that does with if = \"BUFFER\" or unless = \"BUFFER\"");
            }
            Says::Branch(_) => return Ok(Control::When { word: decides }),
        };
        let must_end = says.must_end.as_ref().is_some_and(|must| *must.get_ref());
        let wrong = |message: &str, span: Range<usize>, label: &str, help: &str| {
            Err(self.fault.block(format!("loop `{}` {message}", entry.named()), span, label, Some(help.to_owned())))
        };
        let limit = match (&decides, &says.times, &says.limit) {
            (Some(_), Some(times), _) => {
                let help = "beside while or until it is limit = N";
                return wrong("has both a word that decides and times", times.span(), "one of them", help);
            }
            (None, Some(_), Some(limit)) => {
                return wrong("has a limit besides its times", limit.span(), "nothing is left to it", "leave it out");
            }
            (None, None, Some(limit)) => {
                let help = "say times = N, or while = \"BUFFER\" or until = \"BUFFER\" beside it";
                return wrong("has a limit, and nothing that it is a limit of", limit.span(), "of what?", help);
            }
            (None, None, None) => {
                return undecided("say times = N, while = \"BUFFER\" or until = \"BUFFER\"");
            }
            (Some(_), None, limit) => limit,
            (None, times, None) => times,
        };
        if let (true, Some(must), None) = (must_end, &says.must_end, &says.limit) {
            let help = "it makes an error of reaching limit = N";
            return wrong("must end, but has no limit", must.span(), "before what?", help);
        }
        let limit = limit.as_ref().map(|turns| *turns.get_ref());
        let swaps = says.swap.iter().map(|pair| pair.get_ref());
        let swaps = swaps.map(|[first, second]| (first.into(), second.into())).collect();
        Ok(Control::Repeat { word: decides, limit, must_end, swaps })
    }
}

/// Where in the file a block is named.
pub(super) fn place(file: &File, block: &str) -> Option<Range<usize>> {
    entries(file).find(|entry| entry.named() == block).map(|entry| entry.name.span())
}

/// Where the word that decides about it is.
pub(super) fn place_of_word(file: &File, block: &str) -> Option<Range<usize>> {
    let entry = entries(file).find(|entry| entry.named() == block)?;
    entry.words().into_iter().flatten().next().map(Spanned::span)
}

/// Where it swaps two buffers.
pub(super) fn place_of_swap(file: &File, block: &str, first: &str, second: &str) -> Option<Range<usize>> {
    let entry = entries(file).find(|entry| entry.named() == block)?;
    let same = |pair: &&Spanned<[String; 2]>| *pair.get_ref() == [first, second];
    entry.swaps().iter().find(same).map(Spanned::span)
}

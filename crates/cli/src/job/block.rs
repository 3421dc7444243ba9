//! The loops and branches of a job: which waves are in which, and what decides about them.
//!
//! Waves stand in the order of the file and name the block they are in; blocks name the one around
//! them. So a block is in one piece if its waves stand next to each other.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use seawall::program::{Access, Buffer, Effects};
use seawall_core::check::NESTING_MAX;
use seawall_core::graph::{self, Control, Graph};
use seawall_core::layout::{Scalar, Type};
use toml::Spanned;

use super::fault::Fault;
use super::queue;
use super::schema::{Branch, Drain, File, Loop, Wave, Word};
use crate::error::Error;

/// What the file says of a block.
#[derive(Clone, Copy)]
enum Says<'a> {
    Loop(&'a Loop),
    Branch(&'a Branch),
    Drain(&'a Drain),
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
            Says::Drain(says) => says.within.as_ref(),
        }
    }

    fn kind(&self) -> &'static str {
        match self.says {
            Says::Loop(_) => "loop",
            Says::Branch(_) => "branch",
            Says::Drain(_) => "drain",
        }
    }

    /// Of a drain.
    fn queues(&self) -> Vec<String> {
        match self.says {
            Says::Drain(says) => says.queues.get_ref().iter().map(|queue| queue.get_ref().clone()).collect(),
            Says::Loop(_) | Says::Branch(_) => Vec::new(),
        }
    }

    /// All that it says of words that decide.
    fn words(&self) -> [Option<&'a Spanned<Word>>; 2] {
        match self.says {
            Says::Loop(says) => [says.while_nonzero.as_ref(), says.until.as_ref()],
            Says::Branch(says) => [says.if_nonzero.as_ref(), says.unless.as_ref()],
            Says::Drain(_) => [None, None],
        }
    }

    fn swaps(&self) -> &'a [Spanned<[String; 2]>] {
        match self.says {
            Says::Loop(says) => &says.swap,
            Says::Branch(_) | Says::Drain(_) => &[],
        }
    }
}

fn entries(file: &File) -> impl Iterator<Item = Entry<'_>> {
    let loops = file.loops.iter().map(|(name, says)| Entry { name, says: Says::Loop(says) });
    let branches = file.branches.iter().map(|(name, says)| Entry { name, says: Says::Branch(says) });
    let drains = file.drains.iter().map(|(name, says)| Entry { name, says: Says::Drain(says) });
    loops.chain(branches).chain(drains)
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

/// A buffer that no wave binds.
pub(super) fn plain(name: &str, ty: Type, min_bytes: u64) -> Buffer {
    Buffer {
        name: name.to_owned(),
        group: 0,
        binding: 0,
        access: Access::Read,
        immediate: false,
        ty,
        min_bytes,
        effects: Effects::default(),
        span: None,
    }
}

/// Types for buffers that no wave binds: one that only decides is a word, and one that only changes
/// places is what it changes places with.
pub(super) fn rows<'a>(file: &File, known: &HashSet<&'a str>, rows: &mut HashMap<&'a str, Buffer>) {
    let word = |name: &str| plain(name, Type::Scalar(Scalar::U32), 4);
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

/// Adds the waves of the file to its graph, one for each call of `wave`, and the blocks around them.
pub(super) fn add(
    file: &File,
    graph: &mut Graph,
    fault: &Fault,
    mut wave: impl FnMut(&mut Graph),
) -> Result<(), Error> {
    let mut all: HashMap<&str, Entry<'_>> = HashMap::new();
    for entry in entries(file) {
        if let Some(other) = all.insert(entry.named(), entry) {
            let (one, two) = (other.kind(), entry.kind());
            let message = format!("`{}` is both a {one} and a {two}", entry.named());
            let (one, two) = (format!("the {one}"), format!("the {two}"));
            return Err(fault.block_and(message, (entry.name.span(), &two), (other.name.span(), &one)));
        }
    }
    let walk = Walk { file, all, fault };
    walk.blocks(graph, &mut wave)
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
                return Err(self.fault.unknown(
                    if self.file.drains.is_empty() { "loop or branch" } else { "loop, branch or drain" },
                    name.get_ref(),
                    &known,
                    name.span(),
                ));
            };
            if chain.iter().any(|inner: &Entry<'_>| inner.named() == entry.named()) {
                let message = format!("`{}` is inside of itself", entry.named());
                return Err(self.fault.block(message, name.span(), "this goes round", None));
            }
            chain.push(entry);
            if chain.len() > NESTING_MAX {
                let message = format!("`{}` is inside {NESTING_MAX} loops and branches already", chain[0].named());
                return Err(self.fault.block(message, chain[0].name.span(), "here", None));
            }
            next = entry.within();
        }
        chain.reverse();
        Ok(chain)
    }

    fn blocks(&self, graph: &mut Graph, add: &mut impl FnMut(&mut Graph)) -> Result<(), Error> {
        // By block, the last wave in it; and those that go on, with their places in the graph.
        let (mut lasts, mut open): (HashMap<&str, usize>, Vec<(Entry<'a>, usize)>) = (HashMap::new(), Vec::new());
        for (at, wave) in self.file.waves.iter().enumerate() {
            let chain = self.chain(wave.within.as_ref())?;
            let same = open.iter().zip(&chain).take_while(|((a, _), b)| a.named() == b.named()).count();
            close(graph, &mut open, same);
            for entry in &chain[same..] {
                if let Some(&last) = lasts.get(entry.named()) {
                    let message = format!("the waves of `{}` do not stand next to each other", entry.named());
                    let here = wave.within.as_ref().map_or(0..0, Spanned::span);
                    let ended = self.file.waves[last].name.span();
                    return Err(self.fault.block_and(message, (here, "in it again"), (ended, "it ended after this")));
                }
                open.push((*entry, self.begin(graph, entry)?));
            }
            self.items_are_there(wave, &open)?;
            add(graph);
            lasts.extend(open.iter().map(|(entry, _)| (entry.named(), at)));
        }
        close(graph, &mut open, 0);
        let mut unused: Vec<&Entry<'_>> =
            self.all.values().filter(|entry| !lasts.contains_key(entry.named())).collect();
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

    /// Begins a block, and gives its place in the graph.
    fn begin(&self, graph: &mut Graph, entry: &Entry<'_>) -> Result<usize, Error> {
        let Says::Drain(says) = entry.says else {
            let (name, control, first) = (entry.named().to_owned(), self.control(entry)?, graph.waves.len());
            graph.blocks.push(graph::Block { name, waves: first..first, control });
            return Ok(graph.blocks.len() - 1);
        };
        for name in says.queues.get_ref() {
            queue::find(self.file, name, self.fault)?;
        }
        let (message, help) = (format!("drain `{}` has no queue", entry.named()), "name those that it is to empty");
        if says.queues.get_ref().is_empty() {
            return Err(self.fault.block(message, says.queues.span(), "of what?", Some(help.to_owned())));
        }
        self.must_end(entry, says.must_end.as_ref(), says.limit.as_ref())?;
        let at = graph.begin_drain(entry.named(), &entry.queues());
        if let Control::Repeat { limit, must_end, .. } = &mut graph.blocks[at].control {
            *limit = says.limit.as_ref().map(|limit| *limit.get_ref());
            *must_end = says.must_end.as_ref().is_some_and(|must| *must.get_ref());
        }
        Ok(at)
    }

    /// Whether what a wave works on has a window where it stands.
    fn items_are_there(&self, wave: &Wave, open: &[(Entry<'_>, usize)]) -> Result<(), Error> {
        let Some(items) = &wave.items else { return Ok(()) };
        if open.iter().any(|(entry, _)| entry.queues().contains(items.get_ref())) {
            return Ok(());
        }
        let (name, queue) = (wave.name.get_ref(), items.get_ref());
        let message = format!("wave `{name}` runs over items of `{queue}`, but is in no drain of it");
        let help = format!("say in = \"NAME\", of a drain with queues = [\"{queue}\"]");
        Err(self.fault.wave(message, items.span(), "which items?", Some(help)))
    }

    /// There has to be a limit where reaching it is an error.
    fn must_end(
        &self,
        entry: &Entry<'_>,
        must_end: Option<&Spanned<bool>>,
        limit: Option<&Spanned<u32>>,
    ) -> Result<(), Error> {
        match (must_end.filter(|must| *must.get_ref()), limit) {
            (Some(must), None) => {
                let message = format!("{} `{}` must end, but has no limit", entry.kind(), entry.named());
                let help = "it makes an error of reaching limit = N".to_owned();
                Err(self.fault.block(message, must.span(), "before what?", Some(help)))
            }
            _ => Ok(()),
        }
    }

    fn control(&self, entry: &Entry<'_>) -> Result<Control, Error> {
        // Until it is not zero is while it is.
        let word = match entry.words() {
            [Some(_), Some(second)] => {
                let (one, other) = match entry.says {
                    Says::Branch(_) => ("if", "unless"),
                    Says::Loop(_) | Says::Drain(_) => ("while", "until"),
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
            Says::Branch(_) | Says::Drain(_) => return Ok(Control::When { word: decides }),
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
        self.must_end(entry, says.must_end.as_ref(), says.limit.as_ref())?;
        let limit = limit.as_ref().map(|turns| *turns.get_ref());
        let swaps = says.swap.iter().map(Spanned::get_ref);
        let swaps = swaps.map(|[first, second]| (first.into(), second.into())).collect();
        Ok(Control::Repeat { word: decides, limit, must_end, swaps })
    }
}

/// Ends the innermost blocks until so many are left.
fn close(graph: &mut Graph, open: &mut Vec<(Entry<'_>, usize)>, left: usize) {
    while open.len() > left {
        let Some((entry, at)) = open.pop() else { break };
        match entry.says {
            Says::Loop(_) | Says::Branch(_) => graph.blocks[at].waves.end = graph.waves.len(),
            Says::Drain(_) => graph.end_drain(at, &entry.queues()),
        }
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

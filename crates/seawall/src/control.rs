//! Loops and branches of a graph, being described.

use std::collections::HashMap;

use seawall_core::graph::{self, DataId, Key};

/// A `u32` of some data: `"count"` is the first of `count`, `("control", 3)` the fourth of `control`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    data: String,
    index: usize,
}

impl From<&str> for Word {
    fn from(data: &str) -> Self {
        (data, 0).into()
    }
}

impl From<(&str, usize)> for Word {
    fn from((data, index): (&str, usize)) -> Self {
        Self { data: data.to_owned(), index }
    }
}

impl Word {
    fn resolve(self, names: &HashMap<String, DataId>, zero: bool) -> graph::Word {
        let Self { data, index } = self;
        let data = names.get(&data).map_or_else(|| Key::Name(data), |&id| id.into());
        graph::Word { data, offset: (index as u64).saturating_mul(4), zero }
    }
}

/// A loop of a [`Graph`](crate::Graph), being described: its methods say when it ends.
#[derive(Debug)]
pub struct Repeat<'a> {
    pub(crate) block: &'a mut graph::Block,
    pub(crate) names: &'a HashMap<String, DataId>,
}

impl Repeat<'_> {
    fn put(&mut self, word: Option<graph::Word>, most: Option<u32>, ends: Option<bool>) -> &mut Self {
        if let graph::Control::Repeat { word: old, limit, must_end, .. } = &mut self.block.control {
            *old = word.or_else(|| old.take());
            *limit = most.or(*limit);
            *must_end |= ends == Some(true);
        }
        self
    }

    /// Another turn as long as the word is not zero. It is asked before each turn, the first too.
    pub fn while_nonzero(&mut self, word: impl Into<Word>) -> &mut Self {
        let word = word.into().resolve(self.names, false);
        self.put(Some(word), None, None)
    }

    /// Another turn as long as the word is zero, as that of a transient is at first.
    pub fn while_zero(&mut self, word: impl Into<Word>) -> &mut Self {
        let word = word.into().resolve(self.names, true);
        self.put(Some(word), None, None)
    }

    /// No more turns than this. What a loop did is in
    /// [`Finished::loops`](crate::Finished::loops).
    pub fn limit(&mut self, turns: u32) -> &mut Self {
        self.put(None, Some(turns), None)
    }

    /// The limit is there for what should never happen: a run that reaches it while there should be
    /// another turn ends in [`Error::LoopLimit`](crate::Error::LoopLimit). Outputs hold what that
    /// many turns gave.
    ///
    /// ```
    /// # fn main() -> Result<(), seawall::Error> {
    /// let runtime = seawall::Runtime::new()?;
    /// let step = runtime.kernel(
    ///     "@group(0) @binding(0) var<storage, read_write> x: u32;
    ///      @compute @workgroup_size(1) fn main() { x = select(3u * x + 1u, x / 2u, x % 2u == 0u); }",
    /// )?;
    /// let mut graph = seawall::Graph::new();
    /// graph.in_out::<u32>("x", 1);
    /// let mut steps = graph.repeat("steps", |body| {
    ///     body.wave("step", &step).bind("x", "x").workgroups(1);
    /// });
    /// steps.while_nonzero("x").limit(10).must_end();
    /// let mut x = [6u32];
    /// let run = runtime.compile(&graph)?.call().bind("x", &mut x).run();
    /// assert!(matches!(run, Err(seawall::Error::LoopLimit { .. })));
    /// assert_eq!(x, [2]); // as ten steps left it
    /// # Ok(())
    /// # }
    /// ```
    pub fn must_end(&mut self) -> &mut Self {
        self.put(None, None, Some(true))
    }

    /// As many turns as this, if no word ends it before.
    pub fn times(&mut self, turns: u32) -> &mut Self {
        self.limit(turns)
    }
}

/// A branch of a [`Graph`](crate::Graph), being described: its methods say when it is taken.
#[derive(Debug)]
pub struct When<'a> {
    pub(crate) block: &'a mut graph::Block,
    pub(crate) names: &'a HashMap<String, DataId>,
}

impl When<'_> {
    /// If the word is not zero when the branch is reached.
    pub fn nonzero(&mut self, word: impl Into<Word>) -> &mut Self {
        self.block.control = graph::Control::When { word: Some(word.into().resolve(self.names, false)) };
        self
    }

    /// If the word is zero when the branch is reached.
    pub fn zero(&mut self, word: impl Into<Word>) -> &mut Self {
        self.block.control = graph::Control::When { word: Some(word.into().resolve(self.names, true)) };
        self
    }
}

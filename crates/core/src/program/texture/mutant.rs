//! Functions of textures that are wrong in one thing, for tests.

use std::cell::Cell;

thread_local! {
    /// What is written for what, in programs that this thread lowers; and whether it stood anywhere.
    static WRONG: Cell<Option<(&'static str, &'static str)>> = const { Cell::new(None) };
    static MET: Cell<bool> = const { Cell::new(false) };
}

/// Does `work` with another text in the place of one; whether that stood anywhere.
pub(crate) fn with<T>(wrong: (&'static str, &'static str), work: impl FnOnce() -> T) -> (T, bool) {
    MET.set(false);
    WRONG.set(Some(wrong));
    let done = work();
    WRONG.set(None);
    (done, MET.get())
}

pub(super) fn text(right: &str) -> String {
    let Some((from, to)) = WRONG.get() else { return right.to_owned() };
    MET.set(MET.get() || right.contains(from));
    right.replace(from, to)
}

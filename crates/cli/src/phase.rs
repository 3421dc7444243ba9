//! What a command is doing, for who waits for it.

use std::sync::{Arc, Mutex, PoisonError};

/// What a command is doing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Phase(Arc<Mutex<Now>>);

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Now {
    /// A verb and what it is about.
    pub(crate) what: &'static str,
    /// Whether it ends when it is asked to.
    pub(crate) stops: bool,
}

impl Phase {
    pub(crate) fn set(&self, what: &'static str, stops: bool) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Now { what, stops };
    }

    pub(crate) fn now(&self) -> Now {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

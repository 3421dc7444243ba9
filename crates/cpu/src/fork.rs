//! Threads do not go with a process that forks: whoever waited for one of them in the child
//! would wait for ever. So what has threads remembers the process that started them.
//!
//! A number in memory is asked, which the child's copy of it differs in, because asking the
//! system who we are would take longer than all else that is done before a small run.

#[cfg(unix)]
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Forks between the first process that asked and this one.
static GENERATION: AtomicU32 = AtomicU32::new(0);

/// The process in which this was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Process(u32);

impl Process {
    /// This one.
    pub fn this() -> Self {
        #[cfg(unix)]
        watch();
        Self(GENERATION.load(Relaxed))
    }

    /// Whether it is still the same, and not a child of it.
    pub fn is_this(self) -> bool {
        self.0 == GENERATION.load(Relaxed)
    }
}

#[cfg(unix)]
fn watch() {
    extern "C" fn forked() {
        GENERATION.fetch_add(1, Relaxed);
    }
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: the handler does nothing but add to an atomic, which it may in a child that
        // has one thread of several.
        let registered = unsafe { libc::pthread_atfork(None, None, Some(forked)) };
        assert!(registered == 0, "invariant fork: there is memory for a handler");
    });
}

//! Says which case was under way when a test touched memory that cannot be touched.
//!
//! A process that dies of that takes its messages with it, and the tests on other threads. So tests
//! on guarded memory ([`super::memory::Edge`]) name their cases, and a handler of the signal writes
//! the names of all that are under way before the process dies as it would have.

/// A case that is under way, until dropped.
#[derive(Debug)]
#[must_use]
pub struct Case {
    slot: Option<usize>,
}

impl Case {
    /// Names what is to run on this thread or for it. Of a long name the beginning is kept.
    pub fn new(name: &str) -> Self {
        Self { slot: place::take(name) }
    }
}

impl Drop for Case {
    fn drop(&mut self) {
        if let Some(slot) = self.slot {
            place::leave(slot);
        }
    }
}

pub(crate) use place::watch;

#[cfg(target_os = "linux")]
mod place {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};

    const CASES_MAX: usize = 64;
    const NAME_MAX: usize = 120;

    /// A name, in a place that a signal handler may read at any time.
    struct Slot {
        taken: AtomicBool,
        bytes: AtomicUsize,
        name: [AtomicU8; NAME_MAX],
    }

    static SLOTS: [Slot; CASES_MAX] = [const {
        Slot { taken: AtomicBool::new(false), bytes: AtomicUsize::new(0), name: [const { AtomicU8::new(0) }; NAME_MAX] }
    }; CASES_MAX];

    /// What the signals did before.
    static BEFORE: OnceLock<[libc::sigaction; 2]> = OnceLock::new();

    const SIGNALS: [libc::c_int; 2] = [libc::SIGSEGV, libc::SIGBUS];

    pub(super) fn take(name: &str) -> Option<usize> {
        let free = |slot: &Slot| !slot.taken.swap(true, Ordering::AcqRel);
        let at = SLOTS.iter().position(free)?;
        for (to, from) in SLOTS[at].name.iter().zip(name.bytes()) {
            to.store(from, Ordering::Relaxed);
        }
        SLOTS[at].bytes.store(name.len().min(NAME_MAX), Ordering::Release);
        Some(at)
    }

    pub(super) fn leave(slot: usize) {
        SLOTS[slot].bytes.store(0, Ordering::Release);
        SLOTS[slot].taken.store(false, Ordering::Release);
    }

    /// From now on, names are written when memory is touched that cannot be.
    pub(crate) fn watch() {
        BEFORE.get_or_init(|| {
            SIGNALS.map(|signal| {
                // SAFETY: zeroes are a valid `sigaction`, and both pointers are good for the call.
                unsafe {
                    let (mut new, mut old): (libc::sigaction, libc::sigaction) = std::mem::zeroed();
                    new.sa_sigaction = handler as *const () as usize;
                    new.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
                    let done = libc::sigaction(signal, &raw const new, &raw mut old);
                    assert!(done == 0, "invariant faults: the signal can be handled");
                    old
                }
            })
        });
    }

    extern "C" fn handler(signal: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        // SAFETY: the system gives a valid pointer for these signals.
        let at = unsafe { (*info).si_addr() }.addr();
        say(b"memory that cannot be touched was touched at 0x");
        let digits: [u8; 16] = std::array::from_fn(|i| b"0123456789abcdef"[at >> (60 - 4 * i) & 15]);
        say(&digits);
        say(b"; under way:\n");
        for slot in &SLOTS {
            let bytes = slot.bytes.load(Ordering::Acquire);
            if bytes > 0 {
                let name: [u8; NAME_MAX] = std::array::from_fn(|i| slot.name[i].load(Ordering::Relaxed));
                say(b"    ");
                say(&name[..bytes]);
                say(b"\n");
            }
        }
        // Back where it happened, it happens again, and then as if nobody had watched.
        if let (Some(before), Some(i)) = (BEFORE.get(), SIGNALS.iter().position(|&at| at == signal)) {
            // SAFETY: as it was found.
            unsafe { libc::sigaction(signal, &raw const before[i], std::ptr::null_mut()) };
        }
    }

    fn say(text: &[u8]) {
        // SAFETY: `write` may be called by a handler, with a slice that is there. Nobody can be told
        // if it fails.
        _ = unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
    }
}

#[cfg(not(target_os = "linux"))]
mod place {
    pub(super) fn take(_: &str) -> Option<usize> {
        None
    }

    pub(super) fn leave(_: usize) {}

    pub(crate) fn watch() {}
}

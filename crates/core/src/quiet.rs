//! naga and wgpu panic on some texts and binaries, where a driver gives up, or where a writer meets
//! what it cannot write. Such a panic becomes a value here, and its message stays out of the user's
//! sight.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

static HOOK: Once = Once::new();

/// Calls; a panic comes back as its message, and no hook hears of it.
pub fn quietly<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    // The hook of whoever came before still gets every other panic.
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                before(info);
            }
        }));
    });
    let outer = QUIET.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(call));
    QUIET.set(outer);
    result.map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("it panicked").to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_message() {
        assert_eq!(quietly(|| 7), Ok(7));
        assert_eq!(quietly(|| panic!("no {}", "way")), Err::<(), _>("no way".to_owned()));
        assert_eq!(quietly(|| quietly(|| panic!("inner"))), Ok(Err::<(), _>("inner".to_owned())));
        assert!(!QUIET.get());
    }
}

//! Several things at once, told in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use crate::error::Error;

/// Does `work` for each item, several at once, and takes the results in the order of the items.
pub(super) fn in_order<T: Sync, R: Send>(
    items: &[T],
    abreast: usize,
    work: impl Fn(&T) -> R + Sync,
    mut take: impl FnMut(&T, R) -> Result<(), Error>,
) -> Result<(), Error> {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (send, results) = mpsc::channel();
        for _ in 0..abreast.min(items.len()) {
            let (send, next, work) = (send.clone(), &next, &work);
            let worker = move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { return };
                    // Nobody listens any more if the results cannot be told.
                    if send.send((at, work(item))).is_err() {
                        return;
                    }
                }
            };
            let refused = |error: std::io::Error| seawall::Error::Thread { reason: error.to_string() };
            thread::Builder::new().name("seawall test".to_owned()).spawn_scoped(scope, worker).map_err(refused)?;
        }
        drop(send);
        let (mut early, mut done) = (BTreeMap::new(), 0);
        for (at, result) in results {
            early.insert(at, result);
            while let Some(result) = early.remove(&done) {
                take(&items[done], result)?;
                done += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for abreast in [1, 4, 100] {
            let items: Vec<u64> = (0..50).collect();
            let mut taken = Vec::new();
            let work = |item: &u64| {
                // Later ones are often done before earlier ones.
                thread::sleep(std::time::Duration::from_micros(200 * (item % 3)));
                item * item
            };
            in_order(&items, abreast, work, |item, result| {
                taken.push((*item, result));
                Ok(())
            })
            .unwrap();
            assert_eq!(taken, items.iter().map(|item| (*item, item * item)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_first_failure_ends_it() {
        let mut taken = 0;
        let failed = in_order(
            &[0; 50],
            4,
            |_| (),
            |_, ()| {
                taken += 1;
                if taken == 3 { Err(Error::NoOverrides) } else { Ok(()) }
            },
        );
        assert!(failed.is_err() && taken == 3);
    }
}

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;

use super::pages::{ALIGN, HUGE, RENEWED};
use super::*;

#[test]
fn aligned_and_zeroed() {
    for bytes in [0, 1, 63, 64, 4097, HUGE as u64 - 1, HUGE as u64, 3 * HUGE as u64 + 5] {
        let mut memory = Memory::new(bytes).unwrap();
        let align = if cfg!(target_os = "linux") && bytes >= HUGE as u64 { HUGE } else { ALIGN };
        assert_eq!(memory.view().as_ptr().addr() % align, 0, "{bytes} bytes");
        let mut all = vec![1; bytes as usize];
        memory.lock().read(0, &mut all).unwrap();
        assert!(all.iter().all(|&byte| byte == 0), "{bytes} bytes");
    }
}

#[test]
fn cleared_to_the_last_byte() {
    for bytes in [1, 4097, HUGE as u64 + 5, RENEWED as u64, RENEWED as u64 + 4095] {
        let mut memory = Memory::new(bytes).unwrap();
        memory.lock().write(0, &vec![7; bytes as usize]).unwrap();
        memory.clear();
        let mut all = vec![1; bytes as usize];
        memory.lock().read(0, &mut all).unwrap();
        assert!(all.iter().all(|&byte| byte == 0), "{bytes} bytes");
    }
}

#[test]
fn too_much_is_an_error() {
    for bytes in [u64::MAX, u64::MAX - 63, 1 << 63, (1 << 63) - 1, 1 << 60] {
        assert_eq!(Memory::new(bytes).unwrap_err(), Error::OutOfMemory { bytes });
    }
}

#[test]
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn over_four_gigabytes() {
    let bytes = (5 << 30) + 3;
    let memory = Memory::new(bytes).unwrap();
    let mut guard = memory.lock();
    guard.write(bytes - 2, &[7, 8]).unwrap();
    guard.write(5 << 30, &[6]).unwrap();
    let mut end = [0; 3];
    guard.read(5 << 30, &mut end).unwrap();
    assert_eq!(end, [6, 7, 8]);
    let mut low = [1];
    guard.read(1 << 30, &mut low).unwrap();
    assert_eq!(low, [0], "offsets do not wrap at four gigabytes");
}

#[test]
fn bounds_are_errors() {
    let memory = Memory::new(8).unwrap();
    let mut guard = memory.lock();
    guard.write(8, &[]).unwrap();
    for (offset, bytes) in [(8, 1), (9, 0), (1, 8), (u64::MAX, 1), (u64::MAX, 2)] {
        let outside = Error::Outside { offset, bytes, buffer_bytes: 8 };
        let mut slice = vec![9; bytes as usize];
        assert_eq!(guard.write(offset, &slice), Err(outside.clone()));
        assert_eq!(guard.read(offset, &mut slice), Err(outside));
    }
    let mut all = [1; 8];
    guard.read(0, &mut all).unwrap();
    assert_eq!(all, [0; 8], "a refused write leaves no trace");
}

#[test]
fn views_cut_copy_and_clear() {
    let mut bytes = *b"abcdefgh";
    let view = View::over_mut(&mut bytes);
    // SAFETY: only this thread has the slice.
    unsafe {
        view.range(2, 4).unwrap().copy_from(view.range(0, 4).unwrap());
        view.range(7, 1).unwrap().clear();
    }
    assert_eq!(&bytes, b"ababcdg\0");
    assert!(!View::over(&bytes).writable());
}

#[test]
fn runs_and_hosts_follow_one_another() {
    let memories = [(); 3].map(|()| Memory::new(8).unwrap());
    let [a, b, c] = &memories;
    let orders = [[a, b, c], [c, b, a], [b, c, a], [a, c, b]];
    let reads = AtomicU64::new(0);
    thread::scope(|scope| {
        for order in &orders {
            scope.spawn(move || {
                for _ in 0..500 {
                    let mut guards = lock_all(order, &Stop::default()).unwrap();
                    for memory in order {
                        #[expect(clippy::cast_ptr_alignment, reason = "memory begins at a multiple of a line")]
                        let at = guards.part(memory, 0, 8).unwrap().as_ptr().cast::<u64>();
                        // SAFETY: the lock is held, and the memory is aligned.
                        unsafe { *at += 1 };
                    }
                }
            });
        }
        scope.spawn(|| {
            for _ in 0..500 {
                let mut now = [0; 8];
                b.lock().read(0, &mut now).unwrap();
                reads.fetch_max(u64::from_le_bytes(now), Relaxed);
            }
        });
    });
    for memory in &memories {
        let mut sum = [0; 8];
        memory.lock().read(0, &mut sum).unwrap();
        assert_eq!(u64::from_le_bytes(sum), 2000);
    }
    assert!(reads.into_inner() <= 2000);
}

#[test]
fn a_memory_that_is_asked_for_twice_is_locked_once() {
    let (first, second) = (Memory::new(8).unwrap(), Memory::new(8).unwrap());
    let mut guards = lock_all(&[&first, &second, &first], &Stop::default()).unwrap();
    guards.copy((&first, 0), (&second, 4), 4).unwrap();
    assert!(guards.part(&first, 4, 8).is_err(), "outside");
}

#[test]
fn patterns_are_repeated() {
    let memory = Memory::new(200_000).unwrap();
    let mut guard = memory.lock();
    guard.fill(0, 200_000, &[9]).unwrap();
    let long: Vec<u8> = (0..70_001u32).map(|i| (i % 251) as u8).collect();
    for (offset, bytes, pattern) in
        [(256, 7, &b"abc"[..]), (256, 100_003, b"abcde"), (0, 2, b"xyz"), (512, 150_000, &long)]
    {
        let (before, after) = (offset as usize, (offset + bytes) as usize);
        guard.fill(0, 200_000, &[9]).unwrap();
        guard.fill(offset, bytes, pattern).unwrap();
        let mut all = vec![0; 200_000];
        guard.read(0, &mut all).unwrap();
        assert!(all[..before].iter().chain(&all[after..]).all(|&byte| byte == 9), "outside of {offset}+{bytes}");
        assert!(all[before..after].iter().eq(pattern.iter().cycle().take(after - before)), "{offset}+{bytes}");
    }
    guard.fill(4, 8, &[0, 0, 0]).unwrap();
    let mut zeros = [1; 8];
    guard.read(4, &mut zeros).unwrap();
    assert_eq!(zeros, [0; 8]);
    assert!(guard.fill(199_999, 2, &[1]).is_err());
}

#[test]
fn a_run_that_is_stopped_waits_no_longer() {
    let (first, second) = (Memory::new(8).unwrap(), Memory::new(8).unwrap());
    let stop = Stop::default();
    for held in [&first, &second] {
        let guard = held.lock();
        let (done, both) = thread::scope(|scope| {
            let waiter = scope.spawn(|| lock_all(&[&first, &second], &stop).map(|_| ()));
            stop.ask(Reason::Caller);
            (waiter.join().unwrap(), lock_all(&[&first, &second], &stop).map(|_| ()))
        });
        assert_eq!((done, both), (Err(Reason::Caller), Err(Reason::Caller)));
        drop(guard);
        assert!(lock_all(&[&first, &second], &Stop::default()).is_ok());
    }
}

/// One word outside, on either side, dies in a process of its own; here the bytes that can be touched
/// are looked at.
#[test]
#[cfg(target_os = "linux")]
fn bytes_around_guarded_memory_are_seen_to() {
    for (edge, ahead) in [(Edge::Start, 8), (Edge::Start, -1_isize), (Edge::End, -1)] {
        let mut memory = Memory::with_edge(8, Some(edge)).unwrap();
        let at = memory.view().as_ptr();
        // What lies before the start cannot be touched at all.
        if ahead < 0 && edge == Edge::Start {
            assert_eq!(at.addr() % 4096, 0);
            continue;
        }
        memory.check();
        // SAFETY: in the pages around, which nobody else has.
        unsafe { *at.offset(ahead) = 1 };
        let found = std::panic::catch_unwind(|| memory.check());
        assert!(found.is_err(), "{edge:?}, {ahead}");
        std::mem::forget(memory);
    }
    let end = Memory::with_edge(12, Some(Edge::End)).unwrap();
    assert_eq!((end.as_ptr().addr() + 12) % 4096, 0, "it ends at a page");
    end.protect(true);
    end.protect(false);
    end.lock().write(0, &[1; 12]).unwrap();
}

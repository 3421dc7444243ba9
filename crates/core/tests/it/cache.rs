//! What devices make of kernels is kept by content, within a bound, with reasons.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use seawall_core::cache::{Cache, Found};
use seawall_core::program::{Kernel, Program};

fn kernel(text: &str, entry: &str, scale: Option<f64>) -> Arc<Kernel> {
    let overrides = scale.map(|scale| ("scale".to_owned(), scale)).into_iter().collect();
    Arc::new(Program::wgsl(text).unwrap().kernel(entry, &overrides).unwrap())
}

/// Two entry points with an override, told apart by a comment.
fn text(n: usize) -> String {
    format!(
        "// {n}
        override scale = 1.0;
        @group(0) @binding(0) var<storage, read_write> v: array<f32>;
        @compute @workgroup_size(1) fn first() {{ v[0] *= scale; }}
        @compute @workgroup_size(1) fn second() {{ v[0] += scale; }}"
    )
}

fn found<V: std::hash::Hash + Eq>(cache: &Cache<V, u32>, kernel: &Arc<Kernel>, variant: V) -> Found {
    cache.get(kernel, variant, || Ok::<_, Infallible>(0)).unwrap().1
}

#[test]
fn a_kernel_is_known_by_its_content() {
    let cache = Cache::new(8);
    let made = |kernel, value| cache.get(&kernel, 'a', || Ok::<_, Infallible>(value)).unwrap();
    assert_eq!(made(kernel(&text(0), "first", None), 1), (Arc::new(1), Found::New));
    // Parsed anew, it is the same kernel.
    assert_eq!(made(kernel(&text(0), "first", None), 2), (Arc::new(1), Found::Kept));
    assert_eq!(made(kernel(&text(0), "second", None), 3), (Arc::new(3), Found::New));
    assert_eq!(made(kernel(&text(1), "first", None), 4), (Arc::new(4), Found::New));
    assert_eq!(made(kernel(&text(0), "first", Some(0.0)), 5), (Arc::new(5), Found::OtherOverrides));
    assert_eq!(made(kernel(&text(0), "first", Some(-0.0)), 6), (Arc::new(6), Found::OtherOverrides));
    assert_eq!(found(&cache, &kernel(&text(0), "first", None), 'b'), Found::OtherVariant);
    assert_eq!(found(&cache, &kernel(&text(0), "first", None), 'b'), Found::Kept);
}

#[test]
fn what_was_asked_for_last_is_kept() {
    let cache = Cache::new(3);
    let kernels: Vec<_> = (0..4).map(|n| kernel(&text(n), "first", None)).collect();
    let ask = |n: usize| found(&cache, &kernels[n], ());
    assert_eq!([ask(0), ask(1), ask(2), ask(0)], [Found::New, Found::New, Found::New, Found::Kept]);
    // The fourth takes the place of the one that nobody asked for longest.
    assert_eq!([ask(3), ask(0), ask(2), ask(3)], [Found::New, Found::Kept, Found::Kept, Found::Kept]);
    assert_eq!([ask(1), ask(1)], [Found::Evicted, Found::Kept]);
    assert_eq!(ask(0), Found::Evicted);
}

#[test]
fn what_could_not_be_made_is_not_kept() {
    let (cache, kernel) = (Cache::new(1), kernel(&text(0), "first", None));
    assert_eq!(cache.get(&kernel, (), || Err::<u32, _>("no")), Err("no"));
    assert_eq!(found(&cache, &kernel, ()), Found::New);
}

/// Counts those that live.
struct Alive<'a>(&'a AtomicUsize);

impl Drop for Alive<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[test]
fn what_goes_is_freed_with_its_last_holder() {
    let count = AtomicUsize::new(0);
    let alive = || count.load(Ordering::Relaxed);
    let cache = Cache::new(4);
    let ask = |n: usize| {
        let make = || {
            count.fetch_add(1, Ordering::Relaxed);
            Ok::<_, Infallible>(Alive(&count))
        };
        cache.get(&kernel(&text(n), "first", None), (), make).unwrap().0
    };
    let held = ask(0);
    for n in 1..20 {
        drop(ask(n));
        assert!(alive() <= 5, "four are kept, one is held");
    }
    assert_eq!(alive(), 5);
    drop(held);
    assert_eq!(alive(), 4);
    drop(cache);
    assert_eq!(alive(), 0);
}

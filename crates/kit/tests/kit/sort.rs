//! Sorts.

use seawall::device::Kind;
use seawall_kit::sort::{self, Order};
use seawall_kit::{Kit, Number};

use crate::devices::{Random, has_int64, lens, random, runtimes};

fn all<T: Random>(special: &[T]) {
    for runtime in runtimes().iter().filter(|runtime| size_of::<T>() == 4 || has_int64(runtime)) {
        let kit = Kit::new(runtime);
        for len in lens(runtime) {
            let mut numbers = random::<T>(len, len as u64);
            for (at, &number) in special.iter().enumerate().filter(|(at, _)| at * 7 < len) {
                numbers[at * 7] = number;
            }
            for order in [Order::Ascending, Order::Descending] {
                one(runtime, &kit, order, &numbers);
            }
        }
    }
}

fn one<T: Number>(runtime: &seawall::Runtime, kit: &Kit<'_>, order: Order, numbers: &[T]) {
    let wrong = |wrong| panic!("{}, {} of {}: {wrong}", runtime.caps().id, T::WGSL, numbers.len());
    let (x, y) = (runtime.buffer_from(numbers).unwrap(), runtime.buffer::<T>(numbers.len()).unwrap());
    sort::keys(kit, order, &x, &y).unwrap_or_else(|error| panic!("{error}"));
    sort::verify(order, numbers, &y.to_vec().unwrap()).unwrap_or_else(wrong);

    let places: Vec<u32> = (0..numbers.len() as u32).collect();
    let (values, sorted) = (runtime.buffer_from(&places).unwrap(), runtime.buffer::<u32>(places.len()).unwrap());
    y.clear().unwrap();
    sort::pairs(kit, order, (&x, &values), (&y, &sorted)).unwrap_or_else(|error| panic!("{error}"));
    let sorted = (&y.to_vec().unwrap()[..], &sorted.to_vec().unwrap()[..]);
    sort::verify_pairs(order, (numbers, &places), sorted).unwrap_or_else(wrong);
}

#[test]
fn words_are_sorted() {
    all::<u32>(&[0, u32::MAX, 1]);
    all::<i32>(&[0, i32::MIN, i32::MAX, -1, 1]);
}

#[test]
fn long_words_are_sorted() {
    all::<u64>(&[0, u64::MAX, 1 << 32]);
    all::<i64>(&[0, i64::MIN, i64::MAX, -1, 1]);
}

#[test]
fn floats_are_sorted_in_their_total_order() {
    all::<f32>(&[0.0, -0.0, f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e-40, -1e-40]);
}

/// Calls sort words; stages have floats in the graph.
#[test]
fn a_stage_sorts_floats() {
    for runtime in runtimes() {
        let len = if runtime.caps().kind == Kind::Cpu { (1 << 18) + 3 } else { 1000 };
        let mut numbers = random::<f32>(len, 4);
        numbers[..6].copy_from_slice(&[f32::NAN, -f32::NAN, 1e-40, -1e-40, -0.0, 0.0]);
        let (kit, mut sorted) = (Kit::new(runtime), vec![0.0; len]);
        for order in [Order::Ascending, Order::Descending] {
            let mut graph = seawall::Graph::new();
            graph.input::<f32>("x", len).output::<f32>("y", len);
            sort::stage::<f32>(&kit, &mut graph, "sort", order, "x", "y").unwrap();
            runtime.compile(&graph).unwrap().call().bind("x", &numbers).bind("y", &mut sorted).run().unwrap();
            assert_eq!(sort::verify(order, &numbers, &sorted), Ok(()), "{}", runtime.caps().id);
        }
    }
}

#[test]
fn equal_keys_keep_their_order() {
    for runtime in runtimes() {
        let keys: Vec<u32> = random::<u32>(9000, 2).into_iter().map(|word| word % 3 * 1000).collect();
        one(runtime, &Kit::new(runtime), Order::Ascending, &keys);
        one(runtime, &Kit::new(runtime), Order::Descending, &keys);
    }
}

#[test]
fn wrong_results_are_noticed() {
    let verify = |sorted: &[u32]| sort::verify(Order::Ascending, &[3u32, 1, 2], sorted);
    assert_eq!(verify(&[1, 2, 3]), Ok(()));
    assert_eq!(verify(&[1, 3, 2]), Err("3 comes before 2 at 1".to_owned()));
    assert_eq!(verify(&[1, 2, 4]), Err("the keys are others than before".to_owned()));
    let unstable = sort::verify_pairs(Order::Ascending, (&[5u32, 5], &[0u32, 1]), (&[5, 5], &[1, 0]));
    assert_eq!(unstable, Err("the value at 0 is 0, not 1".to_owned()));
}

#[test]
fn many_keys_are_sorted_by_buckets_or_by_digits() {
    let runtime = runtimes().iter().find(|runtime| runtime.caps().kind == Kind::Cpu).unwrap();
    let (kit, len) = (Kit::new(runtime), (1 << 18) + 17);
    let words = random::<u32>(len, 5);
    one(runtime, &kit, Order::Ascending, &words);
    one(runtime, &kit, Order::Descending, &words.iter().map(|&word| f32::from_bits(word)).collect::<Vec<_>>());
    one(runtime, &kit, Order::Ascending, &random::<i64>(len, 6));
    // All in one bucket, and all but one: a sample may miss that.
    one(runtime, &kit, Order::Descending, &words.iter().map(|word| word % 1000).collect::<Vec<_>>());
    let mut outlier = vec![7u32; len];
    outlier[len - 2] = u32::MAX;
    one(runtime, &kit, Order::Ascending, &outlier);
    // As many buckets as the sample wants to see, and in places that it looks at only.
    let seen: Vec<u32> = (0..1024u32).map(|i| i.wrapping_mul(2_654_435_761) % len as u32).collect();
    let mut misled = vec![0u32; len];
    for at in seen {
        misled[at as usize] = at.wrapping_mul(0x9e37_79b9);
    }
    one(runtime, &kit, Order::Ascending, &misled);
}

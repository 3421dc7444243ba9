//! Segments.

use seawall_kit::scan::Kind;
use seawall_kit::{Kit, Op, segment};

use crate::devices::{Random, has_int64, lens, random, runtimes};

fn all<T: Random>(every: u32) {
    for runtime in runtimes().iter().filter(|runtime| size_of::<T>() == 4 || has_int64(runtime)) {
        let (kit, id) = (Kit::new(runtime), &runtime.caps().id);
        let checked = |checked: Result<(), String>| checked.unwrap_or_else(|wrong| panic!("{id}: {wrong}"));
        for len in lens(runtime) {
            let (numbers, words) = (random::<T>(len, len as u64), random::<u32>(len, 5));
            let heads: Vec<u32> = words.iter().map(|word| u32::from(word.is_multiple_of(every)) * 3).collect();
            let offsets = heads.iter().enumerate().skip(1).filter(|(_, head)| **head != 0).map(|(at, _)| at as u32);
            let offsets: Vec<u32> = [0].into_iter().chain(offsets).chain([len as u32]).collect();
            let segments = offsets.len() - 1;
            let (x, y) = (runtime.buffer_from(&numbers).unwrap(), runtime.buffer::<T>(len).unwrap());
            let (at, sums) = (runtime.buffer_from(&heads).unwrap(), runtime.buffer::<T>(segments).unwrap());
            let ends = runtime.buffer_from(&offsets).unwrap();
            for op in Op::ALL {
                for kind in [Kind::Inclusive, Kind::Exclusive] {
                    segment::scan(&kit, kind, op, &x, &at, &y).unwrap_or_else(|error| panic!("{error}"));
                    checked(segment::verify_scan(kind, op, &numbers, &heads, &y.to_vec().unwrap()));
                }
                segment::reduce(&kit, op, &x, &ends, &sums).unwrap_or_else(|error| panic!("{error}"));
                checked(segment::verify_reduce(op, &numbers, &offsets, &sums.to_vec().unwrap()));
            }
        }
    }
}

#[test]
fn short_segments() {
    all::<u32>(5);
    all::<i64>(3);
}

#[test]
fn long_segments() {
    all::<i32>(30_000);
    all::<f32>(700);
}

#[test]
fn segments_may_be_empty() {
    for runtime in runtimes() {
        let kit = Kit::new(runtime);
        let (x, offsets) = (runtime.buffer_from(&[2u32, 3]).unwrap(), runtime.buffer_from(&[0u32, 0, 2, 2]).unwrap());
        let y = runtime.buffer(3).unwrap();
        segment::reduce(&kit, Op::Min, &x, &offsets, &y).unwrap();
        assert_eq!(y.to_vec().unwrap(), [u32::MAX, 2, u32::MAX]);
    }
}

#[test]
fn wrong_results_are_noticed() {
    let wrong = segment::verify_scan(Kind::Inclusive, Op::Sum, &[1u32, 2, 3], &[1, 0, 1], &[1, 3, 6]);
    assert_eq!(wrong, Err("from 2 on: Inclusive Sum at 0 is 3, not 6".to_owned()));
    let wrong = segment::verify_reduce(Op::Sum, &[1u32, 2, 3], &[0, 2, 3], &[3, 4]);
    assert_eq!(wrong, Err("segment 1: Sum of 1 elements is 3, not 4".to_owned()));
}

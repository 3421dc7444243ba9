//! Reductions.

use seawall_kit::{Kit, Op, reduce};

use crate::devices::{Random, has_int64, lens, random, runtimes};

fn all<T: Random>() {
    for runtime in runtimes().iter().filter(|runtime| size_of::<T>() == 4 || has_int64(runtime)) {
        let kit = Kit::new(runtime);
        for len in lens(runtime) {
            let numbers = random::<T>(len, len as u64);
            let x = runtime.buffer_from(&numbers).unwrap();
            for op in Op::ALL {
                let sum = reduce::reduce(&kit, op, &x).unwrap_or_else(|error| panic!("{error}"));
                reduce::verify(op, &numbers, sum).unwrap_or_else(|wrong| panic!("{}: {wrong}", runtime.caps().id));
            }
        }
    }
}

#[test]
fn numbers_of_every_type_are_reduced() {
    all::<u32>();
    all::<i32>();
    all::<f32>();
    all::<u64>();
    all::<i64>();
}

#[test]
fn the_extremes_of_nothing_are_infinite() {
    for runtime in runtimes() {
        let (kit, x) = (Kit::new(runtime), runtime.buffer::<f32>(0).unwrap());
        assert_eq!(reduce::reduce(&kit, Op::Max, &x), Ok(f32::NEG_INFINITY));
        assert_eq!(reduce::reduce(&kit, Op::Min, &x), Ok(f32::INFINITY));
    }
}

#[test]
fn sums_of_floats_have_the_same_bits() {
    let numbers = random::<f32>(40_000, 7);
    let sums = runtimes().iter().filter(|runtime| !runtime.caps().id.starts_with("gpu")).map(|runtime| {
        let x = runtime.buffer_from(&numbers).unwrap();
        reduce::reduce(&Kit::new(runtime), Op::Sum, &x).unwrap().to_bits()
    });
    let sums: Vec<u32> = sums.collect();
    assert!(sums.windows(2).all(|two| two[0] == two[1]), "{sums:?}");
    // They are no test of the order if every order gives the same.
    assert_ne!(numbers.iter().sum::<f32>().to_bits(), sums[0]);
}

#[test]
fn a_wrong_sum_is_noticed() {
    assert_eq!(reduce::verify(Op::Sum, &[1u32, 2], 4), Err("Sum of 2 elements is 3, not 4".to_owned()));
    assert!(reduce::verify(Op::Sum, &[1.0f32, 2.0], 3.1).is_err());
}

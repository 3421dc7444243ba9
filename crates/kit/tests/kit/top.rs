//! Top-k.

use seawall_kit::sort::Order;
use seawall_kit::{Kit, top};

use crate::devices::{Random, has_int64, lens, random, runtimes};

fn all<T: Random>(few: bool) {
    for runtime in runtimes().iter().filter(|runtime| size_of::<T>() == 4 || has_int64(runtime)) {
        let (kit, id) = (Kit::new(runtime), &runtime.caps().id);
        for len in lens(runtime).into_iter().filter(|&len| len > 0) {
            let mut words = random::<u64>(len, len as u64);
            if few {
                // Many are equal, and the last that is wanted is one of those.
                for word in &mut words {
                    *word %= 3;
                }
            }
            let numbers: Vec<T> = words.into_iter().map(T::from_word).collect();
            let x = runtime.buffer_from(&numbers).unwrap();
            for wanted in [1, len.min(100), len] {
                let (keys, places) = (runtime.buffer::<T>(wanted).unwrap(), runtime.buffer(wanted).unwrap());
                for order in [Order::Ascending, Order::Descending] {
                    top::top(&kit, order, &x, &keys, &places).unwrap_or_else(|error| panic!("{error}"));
                    top::verify(order, &numbers, &keys.to_vec().unwrap(), &places.to_vec().unwrap())
                        .unwrap_or_else(|wrong| panic!("{id}, {wanted} of {len}, {order:?}: {wrong}"));
                }
            }
        }
    }
}

#[test]
fn the_first_of_words_are_found() {
    all::<u32>(false);
    all::<i32>(true);
}

#[test]
fn the_first_of_floats_and_long_words_are_found() {
    all::<f32>(false);
    all::<u64>(true);
    all::<i64>(false);
}

#[test]
fn what_cannot_be_is_told() {
    let runtime = &runtimes()[1];
    let (x, keys) = (runtime.buffer::<u32>(3).unwrap(), runtime.buffer::<u32>(4).unwrap());
    let refused = top::top(&Kit::new(runtime), Order::Ascending, &x, &keys, &keys.clone()).unwrap_err();
    assert_eq!(refused.to_string(), "`x` has 3 elements, but 4 are needed");
    let wrong = top::verify(Order::Ascending, &[1u32, 1], &[1], &[1]);
    assert_eq!(wrong, Err("key 0 is of place 0, not 1".to_owned()));
}

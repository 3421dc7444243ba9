//! Compaction, and what is made of it.

use seawall::Graph;
use seawall_kit::compact::Keep;
use seawall_kit::{Kit, compact, partition, runs, unique};

use crate::devices::{Random, has_int64, lens, random, runtimes};

/// Of few different elements, so that there are runs.
fn rows<T: Random>(len: usize) -> Vec<T> {
    let words = random::<u64>(len, len as u64);
    let mut last = 0;
    let next = |word: u64| {
        if word.is_multiple_of(3) {
            last = word % 5;
        }
        T::from_word(last << 8)
    };
    words.into_iter().map(next).collect()
}

fn all<T: Random>() {
    for runtime in runtimes().iter().filter(|runtime| size_of::<T>() == 4 || has_int64(runtime)) {
        let (kit, id) = (Kit::new(runtime), &runtime.caps().id);
        let checked = |checked: Result<(), String>| checked.unwrap_or_else(|wrong| panic!("{id}: {wrong}"));
        for len in lens(runtime) {
            let (numbers, flags) = (random::<T>(len, len as u64), random::<u32>(len, 9));
            let flags: Vec<u32> = flags.into_iter().map(|flag| flag * u32::from(flag % 5 < 2)).collect();
            let (x, y) = (runtime.buffer_from(&numbers).unwrap(), runtime.buffer::<T>(len).unwrap());
            let flagged = runtime.buffer_from(&flags).unwrap();
            let set = |at: usize, _: T| flags[at] != 0;
            let count = compact::flagged(&kit, &x, &flagged, &y).unwrap_or_else(|error| panic!("{error}"));
            checked(compact::verify(&numbers, set, &y.to_vec().unwrap(), count));
            let count = partition::flagged(&kit, &x, &flagged, &y).unwrap();
            checked(partition::verify(&numbers, set, &y.to_vec().unwrap(), count));

            let third = |at: usize, _: T| at.is_multiple_of(3);
            let count = compact::filter(&kit, "i % 3u == 0u", &x, &y).unwrap();
            checked(compact::verify(&numbers, third, &y.to_vec().unwrap(), count));
            let count = partition::partition(&kit, "i % 3u == 0u", &x, &y).unwrap();
            checked(partition::verify(&numbers, third, &y.to_vec().unwrap(), count));

            let numbers = rows::<T>(len);
            let (x, lengths) = (runtime.buffer_from(&numbers).unwrap(), runtime.buffer(len).unwrap());
            let count = unique::unique(&kit, &x, &y).unwrap();
            checked(unique::verify(&numbers, &y.to_vec().unwrap(), count));
            let count = runs::runs(&kit, &x, &y, &lengths).unwrap();
            checked(runs::verify(&numbers, &y.to_vec().unwrap(), &lengths.to_vec().unwrap(), count));
        }
    }
}

/// More than twice as many as a processor takes at a time, with less room than there is to keep.
#[test]
fn windows_follow_each_other() {
    let (len, runtime) = (5_000_017, &runtimes()[2]);
    let (kit, numbers) = (Kit::new(runtime), random::<u32>(len, 12));
    let (x, y) = (runtime.buffer_from(&numbers).unwrap(), runtime.buffer::<u32>(len).unwrap());
    for _ in 0..2 {
        let count = compact::filter(&kit, "value % 3u == 0u", &x, &y).unwrap();
        let third = |_: usize, value: u32| value.is_multiple_of(3);
        compact::verify(&numbers, third, &y.to_vec().unwrap(), count).unwrap();
    }
    let short = runtime.buffer::<u32>(1_000_000).unwrap();
    let refused = compact::filter(&kit, "value % 3u == 0u", &x, &short).unwrap_err();
    let count = numbers.iter().filter(|number| number.is_multiple_of(3)).count();
    assert_eq!(refused, seawall_kit::Error::Overflow { data: "y".to_owned(), count, capacity: 1_000_000 });
    assert!(short.to_vec().unwrap() == y.to_vec().unwrap()[..1_000_000]);
}

#[test]
fn elements_of_every_type_are_kept() {
    all::<u32>();
    all::<f32>();
    all::<u64>();
}

#[test]
fn everything_and_nothing_can_be_kept() {
    for runtime in runtimes() {
        let (kit, numbers) = (Kit::new(runtime), random::<i32>(20_000, 1));
        let (x, y) = (runtime.buffer_from(&numbers).unwrap(), runtime.buffer(20_000).unwrap());
        assert_eq!(compact::filter(&kit, "value == value", &x, &y), Ok(20_000));
        assert_eq!(y.to_vec().unwrap(), numbers);
        assert_eq!(compact::filter(&kit, "value != value", &x, &y), Ok(0));
    }
}

#[test]
fn what_does_not_fit_is_counted() {
    for runtime in runtimes() {
        let (kit, x) = (Kit::new(runtime), runtime.buffer_from(&[1u32, 1, 2, 3, 3]).unwrap());
        let (y, lengths) = (runtime.buffer(2).unwrap(), runtime.buffer(2).unwrap());
        let refused = compact::filter(&kit, "value > 1u", &x, &y).unwrap_err();
        assert_eq!(refused.to_string(), "`y` has room for 2 elements, and there are 3");
        assert_eq!(runs::runs(&kit, &x, &y, &lengths).unwrap_err(), refused);
        assert_eq!((y.to_vec().unwrap(), lengths.to_vec().unwrap()), (vec![1, 2], vec![2, 1]));
        let refused = partition::partition(&kit, "value > 1u", &x, &y).unwrap_err();
        assert_eq!(refused.to_string(), "`y` has 2 elements, but 5 are needed");
    }
}

#[test]
fn a_graph_compacts_what_it_makes() {
    for runtime in runtimes() {
        let (kit, numbers) = (Kit::new(runtime), random::<u32>(5000, 4));
        let mut graph = Graph::new();
        graph.input::<u32>("x", 5000).transient::<u32>("big", 5000).transient::<u32>("bigs", 1);
        graph.output::<u32>("first", 5000).transient::<u32>("firsts", 1);
        graph.counted_output::<u32>("odd", 5000, "odds").transient::<u32>("odds", 1);
        compact::stage::<u32>(&kit, &mut graph, "big ones", Keep::Where("value >= 1000u"), "x", "big", "bigs").unwrap();
        compact::stage::<u32>(&kit, &mut graph, "odd ones", Keep::Where("value % 2u == 1u"), "big", "odd", "odds")
            .unwrap();
        partition::stage::<u32>(&kit, &mut graph, "first", Keep::Where("i < 7u"), "x", "first", "firsts").unwrap();
        let (mut odd, mut first) = (vec![0u32; 5000], vec![0u32; 5000]);
        let compiled = runtime.compile(&graph).unwrap();
        let call = compiled.call().bind("x", &numbers).bind("odd", &mut odd).bind("first", &mut first);
        let count = call.run().unwrap().count("odd").unwrap();
        let keeps = |_, value: u32| value >= 1000 && value % 2 == 1;
        assert_eq!(compact::verify(&numbers, keeps, &odd, count as usize), Ok(()));
        assert_eq!(first, numbers);
    }
}

#[test]
fn an_expression_that_is_none_is_shown() {
    let runtime = &runtimes()[1];
    let (x, y) = (runtime.buffer::<u32>(3).unwrap(), runtime.buffer::<u32>(3).unwrap());
    let refused = compact::filter(&Kit::new(runtime), "valu > 1u", &x, &y).unwrap_err().to_string();
    assert!(refused.contains("no definition in scope for identifier: `valu`"), "{refused}");
}

#[test]
fn wrong_results_are_noticed() {
    let even = |_, value: u32| value.is_multiple_of(2);
    let verify = |y: &[u32], count| compact::verify(&[1u32, 2, 3, 4], even, y, count);
    assert_eq!(verify(&[2, 4, 9, 9], 2), Ok(()));
    assert_eq!(verify(&[4, 2, 0, 0], 2), Err("2 of place 1 is 4".to_owned()));
    assert_eq!(verify(&[2, 4, 0, 0], 1), Err("4 of place 3 is missing".to_owned()));
    assert_eq!(verify(&[2, 4, 6, 0], 3), Err("6 is not of those that are kept".to_owned()));
    assert!(partition::verify(&[1u32, 2, 3, 4], even, &[2, 4, 3, 1], 2).is_err());
    let runs = |y: &[u32], lengths: &[u32]| runs::verify(&[5u32, 5, 6], y, lengths, y.len());
    assert_eq!(runs(&[5, 6], &[2, 1]), Ok(()));
    assert_eq!(runs(&[5, 6], &[1, 2]), Err("run 1 is of 6, and 5 is in it".to_owned()));
    assert_eq!(runs(&[5, 5, 6], &[1, 1, 1]), Err("run 1 is of 5, as the one before it".to_owned()));
    assert_eq!(runs(&[5], &[2]), Err("the runs have 2 elements, of 3".to_owned()));
}

//! Pieces that move elements or count them by where they belong: histograms, transposes, gathers and scatters.

use seawall_kit::{Kit, gather, histogram, transpose};

use crate::devices::{has_int64, lens, random, runtimes};

#[test]
fn elements_are_counted() {
    for runtime in runtimes() {
        let (kit, id) = (Kit::new(runtime), &runtime.caps().id);
        for (len, bins) in lens(runtime).into_iter().zip([1, 2, 255, 256, 257, 2048, 2049, 10_000].iter().cycle()) {
            let numbers = random::<u32>(len, 3);
            let (x, counts) = (runtime.buffer_from(&numbers).unwrap(), runtime.buffer::<u32>(*bins).unwrap());
            counts.fill(&77).unwrap();
            histogram::histogram(&kit, "value % 3000u", &x, &counts).unwrap_or_else(|error| panic!("{error}"));
            histogram::verify(&numbers, |value| value as usize % 3000, &counts.to_vec().unwrap())
                .unwrap_or_else(|wrong| panic!("{id}, {len} of {bins}: {wrong}"));
        }
    }
    let wrong = histogram::verify(&[0u32, 1, 1], |value| value as usize, &[1, 3]);
    assert_eq!(wrong, Err("bin 1 has 2, not 3".to_owned()));
}

#[test]
fn matrices_are_turned() {
    let shapes = [(0, 5), (1, 1), (1, 40), (40, 1), (16, 16), (17, 15), (33, 64), (100, 7)];
    for runtime in runtimes() {
        let kit = Kit::new(runtime);
        for (rows, columns) in shapes {
            let words = random::<f32>(rows * columns, 6);
            let (x, y) = (runtime.buffer_from(&words).unwrap(), runtime.buffer(words.len()).unwrap());
            transpose::transpose(&kit, (rows, columns), &x, &y).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(transpose::verify((rows, columns), &words, &y.to_vec().unwrap()), Ok(()));
            if has_int64(runtime) {
                let long = random::<u64>(rows * columns, 6);
                let (x, y) = (runtime.buffer_from(&long).unwrap(), runtime.buffer(long.len()).unwrap());
                transpose::transpose(&kit, (rows, columns), &x, &y).unwrap();
                assert_eq!(transpose::verify((rows, columns), &long, &y.to_vec().unwrap()), Ok(()));
            }
        }
        let x = runtime.buffer::<f32>(12).unwrap();
        let refused = transpose::transpose(&kit, (5, 3), &x, &x).unwrap_err().to_string();
        assert_eq!(refused, "`x` has 12 elements, but 15 are needed");
    }
    assert_eq!(
        transpose::verify((2, 2), &[1u32, 2, 3, 4], &[1, 2, 3, 4]),
        Err("2 of row 0 and column 1 is 3".to_owned())
    );
}

#[test]
fn elements_are_gathered_and_scattered() {
    for runtime in runtimes() {
        let kit = Kit::new(runtime);
        for len in lens(runtime).into_iter().filter(|&len| len > 0) {
            let (numbers, words) = (random::<i32>(len, 1), random::<u32>(2 * len, 2));
            let indices: Vec<u32> = words.iter().map(|word| word % len as u32).collect();
            let (x, at) = (runtime.buffer_from(&numbers).unwrap(), runtime.buffer_from(&indices).unwrap());
            let y = runtime.buffer::<i32>(2 * len).unwrap();
            gather::gather(&kit, &x, &at, &y).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(gather::verify_gather(&numbers, &indices, &y.to_vec().unwrap()), Ok(()));

            let before = y.to_vec().unwrap();
            let indices: Vec<u32> = (0..len as u32).map(|i| 2 * (len as u32 - 1 - i)).collect();
            let at = runtime.buffer_from(&indices).unwrap();
            gather::scatter(&kit, &x, &at, &y).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(gather::verify_scatter(&numbers, &indices, &before, &y.to_vec().unwrap()), Ok(()));
        }
        let (x, y) = (runtime.buffer::<f32>(0).unwrap(), runtime.buffer::<f32>(2).unwrap());
        let at = runtime.buffer_from(&[0u32, 9]).unwrap();
        let refused = gather::gather(&kit, &x, &at, &y).unwrap_err().to_string();
        assert_eq!(refused, "2 of the indices in `indices` are not below 0");
        let refused = gather::scatter(&kit, &y, &at, &y.range(..1).unwrap()).unwrap_err().to_string();
        assert!(refused.contains("overlap"), "{refused}");
    }
    let wrong = gather::verify_gather(&[5u32, 6], &[1, 0], &[6, 6]);
    assert_eq!(wrong, Err("place 1 is 6, not 5".to_owned()));
    let wrong = gather::verify_scatter(&[5u32], &[1], &[1, 2, 3], &[1, 5, 4]);
    assert_eq!(wrong, Err("place 2 is 4, which nobody put there".to_owned()));
}

//! What is longer than a part: the same as in one piece, with the limit lowered so that many parts are run.

use seawall::Runtime;
use seawall_kit::scan::Kind;
use seawall_kit::sort::Order;
use seawall_kit::{
    Error, Kit, Op, compact, fft, gather, histogram, matmul, partition, random, reduce, runs, scan, segment, sort,
    spmv, top, transpose, unique,
};

use crate::devices::{Random, has_int64, random as numbers, runtimes};

/// Parts of 512 elements of four bytes, or of 256 of eight.
const PART_BYTES: u64 = 4 * 1000;
const LEN: usize = 2500;

fn each(check: impl Fn(&Kit<'_>, &Runtime)) {
    for runtime in runtimes() {
        check(&Kit::new(runtime).part_bytes(PART_BYTES), runtime);
    }
}

/// The number of calls that a piece became shows that it was cut.
fn cut(kit: &Kit<'_>, least: usize) {
    assert!(kit.kept().len() >= least, "{} calls", kit.kept().len());
}

fn combined<T: Random>(kit: &Kit<'_>, runtime: &Runtime) {
    for len in [512, 513, LEN] {
        let host = numbers::<T>(len, 5);
        let (x, y) = (runtime.buffer_from(&host).unwrap(), runtime.buffer(len).unwrap());
        let heads: Vec<u32> = numbers::<u32>(len, 6).into_iter().map(|word| u32::from(word % 700 == 0)).collect();
        let on_device = runtime.buffer_from(&heads).unwrap();
        for op in [Op::Sum, Op::Min, Op::Max] {
            reduce::verify(op, &host, reduce::reduce(kit, op, &x).unwrap()).unwrap();
            for kind in [Kind::Inclusive, Kind::Exclusive] {
                match kind {
                    Kind::Inclusive => scan::inclusive(kit, op, &x, &y).unwrap(),
                    Kind::Exclusive => scan::exclusive(kit, op, &x, &y).unwrap(),
                }
                scan::verify(kind, op, &host, &y.to_vec().unwrap()).unwrap();
                segment::scan(kit, kind, op, &x, &on_device, &y).unwrap();
                segment::verify_scan(kind, op, &host, &heads, &y.to_vec().unwrap()).unwrap();
            }
            // Empty segments, one that is longer than a part, and one that ends with all.
            let offsets = [&[0u32, 0, 3], &[len as u32 - 1; 3][..], &[len as u32]].concat();
            let y = runtime.buffer(offsets.len() - 1).unwrap();
            segment::reduce(kit, op, &x, &runtime.buffer_from(&offsets).unwrap(), &y).unwrap();
            segment::verify_reduce(op, &host, &offsets, &y.to_vec().unwrap()).unwrap();
        }
    }
}

#[test]
fn combinations_go_on_from_part_to_part() {
    each(|kit, runtime| {
        combined::<u32>(kit, runtime);
        combined::<f32>(kit, runtime);
        if has_int64(runtime) {
            combined::<i64>(kit, runtime);
        }
        cut(kit, 10);
    });
}

fn chosen<V: Random>(kit: &Kit<'_>, runtime: &Runtime) {
    let host: Vec<V> = numbers::<u32>(LEN, 7).into_iter().map(|word| V::from_word(u64::from(word % 3))).collect();
    let (x, y) = (runtime.buffer_from(&host).unwrap(), runtime.buffer::<V>(LEN).unwrap());
    let flags: Vec<u32> = numbers::<u32>(LEN, 8).into_iter().map(|word| word % 2).collect();
    let on_device = runtime.buffer_from(&flags).unwrap();
    let kept = |keep: &dyn Fn(usize) -> bool| (0..LEN).filter(|&i| keep(i)).map(|i| host[i]).collect::<Vec<V>>();

    let count = compact::flagged(kit, &x, &on_device, &y).unwrap();
    assert_eq!(y.to_vec().unwrap()[..count], kept(&|i| flags[i] == 1));
    // Places are counted on from part to part.
    let count = compact::filter(kit, "i % 5u == 1u", &x, &y).unwrap();
    assert_eq!(y.to_vec().unwrap()[..count], kept(&|i| i % 5 == 1));
    let count = partition::flagged(kit, &x, &on_device, &y).unwrap();
    assert_eq!(count, flags.iter().sum::<u32>() as usize);
    assert_eq!(y.to_vec().unwrap(), [kept(&|i| flags[i] == 1), kept(&|i| flags[i] == 0)].concat());
    let count = partition::partition(kit, "i < 1000u", &x, &y).unwrap();
    assert_eq!((count, y.to_vec().unwrap()), (1000, host.clone()));

    let heads = kept(&|i| i == 0 || host[i] != host[i - 1]);
    let count = unique::unique(kit, &x, &y).unwrap();
    assert_eq!(y.to_vec().unwrap()[..count], heads);
    let lengths = runtime.buffer::<u32>(LEN).unwrap();
    assert_eq!(runs::runs(kit, &x, &y, &lengths).unwrap(), count);
    runs::verify(&host, &y.to_vec().unwrap(), &lengths.to_vec().unwrap(), count).unwrap();
    // A run over all parts.
    let same = runtime.buffer_from(&[host[0]; LEN]).unwrap();
    assert_eq!(runs::runs(kit, &same, &y, &lengths).unwrap(), 1);
    assert_eq!(lengths.to_vec().unwrap()[0], LEN as u32);

    // What does not fit is counted, and nothing is written beyond what there is.
    for room in [0, 1, 300, 512] {
        let short = runtime.buffer::<V>(room).unwrap();
        let refused = compact::flagged(kit, &x, &on_device, &short).unwrap_err();
        let count = flags.iter().sum::<u32>() as usize;
        assert_eq!(refused, Error::Overflow { data: "y".to_owned(), count, capacity: room });
        assert_eq!(short.to_vec().unwrap(), kept(&|i| flags[i] == 1)[..room]);
    }
}

#[test]
fn what_is_kept_goes_on_where_the_part_before_ended() {
    each(|kit, runtime| {
        chosen::<u32>(kit, runtime);
        chosen::<f32>(kit, runtime);
        if has_int64(runtime) {
            chosen::<u64>(kit, runtime);
        }
        cut(kit, 10);
    });
}

fn sorted<T: Random>(kit: &Kit<'_>, runtime: &Runtime) {
    // Anything, few different keys, and one key for most.
    let any = numbers::<T>(LEN, 9);
    let few: Vec<T> = numbers::<u32>(LEN, 10).into_iter().map(|word| T::from_word(u64::from(word % 7))).collect();
    let most: Vec<T> = any.iter().enumerate().map(|(at, &key)| if at % 9 == 0 { key } else { any[0] }).collect();
    let places: Vec<u32> = (0..LEN as u32).collect();
    for host in [any, few, most] {
        let (x, y) = (runtime.buffer_from(&host).unwrap(), runtime.buffer(LEN).unwrap());
        let (values, moved) = (runtime.buffer_from(&places).unwrap(), runtime.buffer(LEN).unwrap());
        for order in [Order::Ascending, Order::Descending] {
            sort::keys(kit, order, &x, &y).unwrap();
            sort::verify(order, &host, &y.to_vec().unwrap()).unwrap();
            sort::pairs(kit, order, (&x, &values), (&y, &moved)).unwrap();
            let found = (y.to_vec().unwrap(), moved.to_vec().unwrap());
            sort::verify_pairs(order, (&host, &places), (&found.0, &found.1)).unwrap();
            // The second is more than fits into a part for each part.
            for wanted in [10, 700] {
                let (keys, at) = (runtime.buffer(wanted).unwrap(), runtime.buffer(wanted).unwrap());
                top::top(kit, order, &x, &keys, &at).unwrap();
                assert_eq!(
                    (keys.to_vec().unwrap(), at.to_vec().unwrap()),
                    (found.0[..wanted].to_vec(), found.1[..wanted].to_vec())
                );
            }
        }
    }
}

#[test]
fn parts_are_sorted_into_one() {
    each(|kit, runtime| {
        sorted::<u32>(kit, runtime);
        // The interpreter takes its time.
        if runtime.caps().id != "reference" {
            sorted::<i32>(kit, runtime);
            if has_int64(runtime) {
                sorted::<u64>(kit, runtime);
            }
        }
        cut(kit, 20);
    });
}

#[test]
fn floats_are_sorted_by_parts() {
    let runtime = &runtimes()[1];
    sorted::<f32>(&Kit::new(runtime).part_bytes(PART_BYTES), runtime);
}

#[test]
fn counts_and_places_are_of_all() {
    each(|kit, runtime| {
        let host = numbers::<u32>(LEN, 11);
        let x = runtime.buffer_from(&host).unwrap();
        for bins in [16, 5000] {
            let counts = runtime.buffer_from(&vec![7u32; bins]).unwrap();
            let bin = format!("value % {bins}u");
            histogram::histogram(kit, &bin, &x, &counts).unwrap();
            histogram::verify(&host, |word| word as usize % bins, &counts.to_vec().unwrap()).unwrap();
        }

        let indices: Vec<u32> = numbers::<u32>(3000, 12).into_iter().map(|word| word % LEN as u32).collect();
        let (at, y) = (runtime.buffer_from(&indices).unwrap(), runtime.buffer::<u32>(3000).unwrap());
        gather::gather(kit, &x, &at, &y).unwrap();
        gather::verify_gather(&host, &indices, &y.to_vec().unwrap()).unwrap();
        let wrong = runtime.buffer_from(&[&indices[..], &[2500, u32::MAX]].concat()).unwrap();
        let refused = gather::gather(kit, &x, &wrong, &runtime.buffer(3002).unwrap()).unwrap_err();
        assert_eq!(refused.to_string(), "2 of the indices in `indices` are not below 2500");
        let turned: Vec<u32> = (0..LEN as u32).map(|i| i * 7 % LEN as u32).collect();
        let y = runtime.buffer_from(&vec![1u32; LEN]).unwrap();
        gather::scatter(kit, &x, &runtime.buffer_from(&turned).unwrap(), &y).unwrap();
        let y = y.to_vec().unwrap();
        assert!(turned.iter().zip(&host).all(|(&to, word)| y[to as usize] == *word));
        cut(kit, 6);
    });
}

#[test]
fn matrices_are_cut_at_rows() {
    // Longer parts, so that some rows fit.
    for runtime in runtimes() {
        let kit = &Kit::new(runtime).part_bytes(4 * 6000);
        let shape = (700, 20);
        let host = numbers::<u32>(700 * 20, 13);
        let (x, y) = (runtime.buffer_from(&host).unwrap(), runtime.buffer(host.len()).unwrap());
        let refused = transpose::transpose(kit, shape, &x, &y).unwrap_err();
        let told =
            "rows of `y` have 700 elements, and what is this long is worked on in parts whose rows have 352 at most";
        assert_eq!(refused.to_string(), told);
        let (rows, columns) = (1200, 5);
        let x = x.range(..rows * columns).unwrap();
        let y = y.range(..rows * columns).unwrap();
        transpose::transpose(kit, (rows, columns), &x, &y).unwrap();
        transpose::verify((rows, columns), &x.to_vec().unwrap(), &y.to_vec().unwrap()).unwrap();

        let floats =
            |len, seed| -> Vec<f32> { numbers::<u32>(len, seed).into_iter().map(|w| (w % 9) as f32).collect() };
        let (a, b) = (floats(700 * 20, 14), floats(20 * 10, 15));
        let shape = matmul::Shape { rows: 700, inner: 20, columns: 10 };
        let c = runtime.buffer(7000).unwrap();
        let (x, y) = (runtime.buffer_from(&a).unwrap(), runtime.buffer_from(&b).unwrap());
        matmul::multiply(kit, shape, &x, &y, &c).unwrap();
        matmul::verify(shape, &a, &b, &c.to_vec().unwrap()).unwrap();
        let refused =
            matmul::multiply(kit, matmul::Shape { rows: 10, inner: 20, columns: 700 }, &y, &x, &c).unwrap_err();
        assert_eq!(refused.to_string(), "`b` has 14000 elements, and at most 5632 can be worked on at once");
    }
}

#[test]
fn rows_of_sparse_matrices_go_over_parts() {
    each(|kit, runtime| {
        let (rows, each) = (300u32, 9u32);
        let offsets: Vec<u32> = (0..=rows).map(|row| row * each).collect();
        let columns: Vec<u32> = numbers::<u32>((rows * each) as usize, 16).into_iter().map(|word| word % 400).collect();
        let entries: Vec<f32> = numbers(columns.len(), 17);
        let x: Vec<f32> = numbers(400, 18);
        let up = |words: &[u32]| runtime.buffer_from(words).unwrap();
        let (on, to) = (up(&offsets), up(&columns));
        let (of, vector) = (runtime.buffer_from(&entries).unwrap(), runtime.buffer_from(&x).unwrap());
        let matrix = spmv::Matrix { offsets: &on, columns: &to, entries: &of };
        let (y, whole) = (runtime.buffer(300).unwrap(), runtime.buffer(300).unwrap());
        spmv::multiply(kit, &matrix, &vector, &y).unwrap();
        spmv::multiply(&Kit::new(runtime), &matrix, &vector, &whole).unwrap();
        // From left to right, as in one piece.
        assert_eq!(y.to_vec().unwrap(), whole.to_vec().unwrap());
        let long = runtime.buffer::<f32>(600).unwrap();
        let refused = spmv::multiply(kit, &matrix, &long, &y).unwrap_err();
        assert_eq!(refused.to_string(), "`x` has 600 elements, and at most 512 can be worked on at once");
    });
}

#[test]
fn transforms_and_random_numbers_are_those_of_one_piece() {
    each(|kit, runtime| {
        let host: Vec<[f32; 2]> = numbers::<f32>(2 * 1024, 19).chunks(2).map(|two| [two[0], two[1]]).collect();
        let (x, y) = (runtime.buffer_from(&host).unwrap(), runtime.buffer(1024).unwrap());
        fft::transform(kit, fft::Way::Forward, 64, &x, &y).unwrap();
        let whole = runtime.buffer(1024).unwrap();
        fft::transform(&Kit::new(runtime), fft::Way::Forward, 64, &x, &whole).unwrap();
        assert_eq!(y.to_vec().unwrap(), whole.to_vec().unwrap());
        let refused = fft::transform(kit, fft::Way::Forward, 512, &x, &y).unwrap_err();
        assert_eq!(refused.to_string(), "`x` has 512 elements, and at most 256 can be worked on at once");

        let stream = random::Stream { seed: 3, number: 1 };
        let y = runtime.buffer::<u32>(LEN).unwrap();
        random::fill(kit, stream, &y).unwrap();
        random::verify(stream, &y.to_vec().unwrap()).unwrap();
    });
}

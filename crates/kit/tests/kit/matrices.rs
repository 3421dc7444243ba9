//! Products of matrices.

use seawall_kit::matmul::{self, Shape};
use seawall_kit::{Kit, spmv};

use crate::devices::{random, runtimes};

#[test]
fn a_sparse_matrix_is_multiplied() {
    let mut results: Vec<(String, Vec<u32>)> = Vec::new();
    for runtime in runtimes() {
        let (kit, rows, width) = (Kit::new(runtime), 300, 70);
        // From none to fourteen entries in a row.
        let mut offsets = vec![0u32];
        for word in random::<u32>(rows, 8) {
            offsets.push(offsets[offsets.len() - 1] + word % 15);
        }
        let len = *offsets.last().unwrap() as usize;
        let columns: Vec<u32> = random::<u32>(len, 9).into_iter().map(|word| word % width).collect();
        let (entries, x) = (random::<f32>(len, 10), random::<f32>(width as usize, 11));
        let (at, of) = (runtime.buffer_from(&offsets).unwrap(), runtime.buffer_from(&columns).unwrap());
        let (numbers, vector) = (runtime.buffer_from(&entries).unwrap(), runtime.buffer_from(&x).unwrap());
        let matrix = spmv::Matrix { offsets: &at, columns: &of, entries: &numbers };
        let y = runtime.buffer::<f32>(rows).unwrap();
        spmv::multiply(&kit, &matrix, &vector, &y).unwrap_or_else(|error| panic!("{error}"));
        let found = y.to_vec().unwrap();
        assert_eq!(spmv::verify(&offsets, &columns, &entries, &x, &found), Ok(()));
        if !runtime.caps().id.starts_with("gpu") {
            results.push((runtime.caps().id.clone(), found.into_iter().map(f32::to_bits).collect()));
        }

        of.write(3, &[width, u32::MAX]).unwrap();
        let refused = spmv::multiply(&kit, &matrix, &vector, &y).unwrap_err().to_string();
        assert_eq!(refused, "2 of the indices in `columns` are not below 70");
    }
    assert!(results.windows(2).all(|two| two[0].1 == two[1].1), "the same bits");
    assert_eq!(spmv::verify(&[0, 1], &[0], &[2.0], &[3.0], &[7.0]), Err("row 0 is 6, not 7".to_owned()));
}

#[test]
fn matrices_are_multiplied() {
    let mut shapes = vec![(1, 1, 1), (16, 16, 16), (5, 0, 3), (17, 33, 15), (40, 7, 1), (1, 50, 20)];
    // Around the blocks of processors.
    shapes.extend([(6, 300, 70), (101, 3, 17), (99, 2, 64), (203, 5, 65)]);
    for (rows, inner, columns) in shapes {
        let (shape, mut bits) = (Shape { rows, inner, columns }, Vec::new());
        let (a, b) = (random::<f32>(rows * inner, 1), random::<f32>(inner * columns, 2));
        for runtime in runtimes() {
            let (x, y) = (runtime.buffer_from(&a).unwrap(), runtime.buffer_from(&b).unwrap());
            let c = runtime.buffer_from(&vec![7.0f32; rows * columns]).unwrap();
            matmul::multiply(&Kit::new(runtime), shape, &x, &y, &c).unwrap_or_else(|error| panic!("{error}"));
            let found = c.to_vec().unwrap();
            assert_eq!(matmul::verify(shape, &a, &b, &found), Ok(()), "{}", runtime.caps().id);
            if !runtime.caps().id.starts_with("gpu") {
                bits.push(found.into_iter().map(f32::to_bits).collect::<Vec<_>>());
            }
        }
        assert!(bits.windows(2).all(|two| two[0] == two[1]), "the same bits");
    }
    let shape = Shape { rows: 1, inner: 1, columns: 1 };
    assert_eq!(matmul::verify(shape, &[2.0], &[3.0], &[5.0]), Err("row 0 and column 0 is 6, not 5".to_owned()));
}

#[test]
fn matrices_of_bytes_and_halves_are_multiplied() {
    for (rows, inner, columns) in [(1, 4, 1), (5, 0, 3), (17, 36, 15), (40, 8, 1), (33, 64, 20)] {
        let shape = Shape { rows, inner, columns };
        let bytes = |len, seed| random::<u32>(len, seed).into_iter().map(|word| word as i8).collect::<Vec<i8>>();
        let (a, b) = (bytes(rows * inner, 3), bytes(inner * columns, 4));
        let half = |number: &i8| half::f16::from_f32(f32::from(*number) / 4.0);
        let (half_a, half_b): (Vec<_>, Vec<_>) = (a.iter().map(half).collect(), b.iter().map(half).collect());
        let floats = |halves: &[half::f16]| halves.iter().map(|half| half.to_f32()).collect::<Vec<_>>();
        for runtime in runtimes() {
            let (kit, id) = (Kit::new(runtime), &runtime.caps().id);
            let (x, y) = (runtime.buffer_from(&a).unwrap(), runtime.buffer_from(&b).unwrap());
            let c = runtime.buffer_from(&vec![7i32; rows * columns]).unwrap();
            matmul::multiply_bytes(&kit, shape, &x, &y, &c).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(matmul::verify_bytes(shape, &a, &b, &c.to_vec().unwrap()), Ok(()), "{id}");

            let (x, y) = (runtime.buffer_from(&half_a).unwrap(), runtime.buffer_from(&half_b).unwrap());
            let c = runtime.buffer_from(&vec![7f32; rows * columns]).unwrap();
            let done = matmul::multiply_of(&kit, shape, &x, &y, &c);
            if inner > 0 && !runtime.caps().f16 {
                assert!(done.is_err(), "{id}");
                continue;
            }
            done.unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(matmul::verify(shape, &floats(&half_a), &floats(&half_b), &c.to_vec().unwrap()), Ok(()), "{id}");
        }
    }
}

#[test]
fn bytes_that_do_not_fit_are_told() {
    let runtime = &runtimes()[1];
    let kit = Kit::new(runtime);
    let refused = |inner| {
        let (a, c) = (runtime.buffer::<i8>(inner).unwrap(), runtime.buffer::<i32>(1).unwrap());
        let shape = Shape { rows: 1, inner, columns: 1 };
        matmul::multiply_bytes(&kit, shape, &a, &a, &c).unwrap_err().to_string()
    };
    assert_eq!(refused(6), "`a` has 6 bytes, which is no number of `u32`s");
    assert_eq!(refused(1 << 17), "`a` has 131072 elements, and at most 131071 can be worked on at once");
    // The greatest that there is.
    let (inner, c) = ((1 << 17) - 4, runtime.buffer::<i32>(1).unwrap());
    let a = runtime.buffer_from(&vec![i8::MIN; inner]).unwrap();
    matmul::multiply_bytes(&kit, Shape { rows: 1, inner, columns: 1 }, &a, &a.clone(), &c).unwrap();
    assert_eq!(c.to_vec().unwrap(), [16_384 * inner as i32]);
    let shape = Shape { rows: 1, inner: 4, columns: 1 };
    let wrong = matmul::verify_bytes(shape, &[1, 1, 1, 1], &[2, 0, 0, 0], &[3]);
    assert_eq!(wrong, Err("row 0 and column 0 is 2, not 3".to_owned()));
}

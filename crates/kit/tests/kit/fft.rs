//! Fourier transforms.

use seawall_kit::Kit;
use seawall_kit::fft::{self, Complex, Way};

use crate::devices::{random, runtimes};

#[test]
fn transforms_are_what_their_sums_are() {
    for (len, many) in [(1, 1), (1, 5), (2, 1), (4, 3), (8, 1), (64, 5), (128, 2), (1024, 2), (2048, 2), (4096, 1)] {
        let numbers = random::<u32>(2 * len * many, 3);
        let numbers: Vec<f32> = numbers.into_iter().map(|word| word as f32 / 4e9 - 0.5).collect();
        let x: Vec<Complex> = numbers.chunks(2).map(|two| [two[0], two[1]]).collect();
        let mut bits = Vec::new();
        for runtime in runtimes() {
            let (kit, id) = (Kit::new(runtime), &runtime.caps().id);
            let (from, to) = (runtime.buffer_from(&x).unwrap(), runtime.buffer::<Complex>(x.len()).unwrap());
            for way in [Way::Forward, Way::Inverse] {
                fft::transform(&kit, way, len, &from, &to).unwrap_or_else(|error| panic!("{error}"));
                let found = to.to_vec().unwrap();
                fft::verify(way, len, &x, &found).unwrap_or_else(|wrong| panic!("{id}, {way:?} of {len}: {wrong}"));
                if !id.starts_with("gpu") && way == Way::Forward {
                    bits.push(found.into_iter().map(|number| number.map(f32::to_bits)).collect::<Vec<_>>());
                }
            }
        }
        assert!(bits.windows(2).all(|two| two[0] == two[1]), "the same bits for {len}");
    }
}

#[test]
fn there_and_back() {
    let runtime = &runtimes()[1];
    let kit = Kit::new(runtime);
    let x: Vec<Complex> = (0..4096).map(|i| [(i % 100) as f32, (i % 7) as f32]).collect();
    let (a, b) = (runtime.buffer_from(&x).unwrap(), runtime.buffer::<Complex>(4096).unwrap());
    fft::transform(&kit, Way::Forward, 4096, &a, &b).unwrap();
    fft::transform(&kit, Way::Inverse, 4096, &b, &a).unwrap();
    let off = a.to_vec().unwrap().into_iter().zip(&x).map(|(a, b)| (a[0] - b[0]).abs().max((a[1] - b[1]).abs()));
    assert!(off.fold(0.0, f32::max) < 1e-3);
}

#[test]
fn what_cannot_be_is_told() {
    let runtime = &runtimes()[1];
    let x = runtime.buffer::<Complex>(12).unwrap();
    let refused = |len| fft::transform(&Kit::new(runtime), Way::Forward, len, &x, &x.clone()).unwrap_err().to_string();
    let expected = "`x` has 12 elements, which are no transforms of 6: the length is a power of two";
    assert_eq!(refused(6), expected);
    assert_eq!(refused(8), expected.replace('6', "8"));
    let wrong = fft::verify(Way::Forward, 2, &[[1.0, 0.0], [0.0, 0.0]], &[[1.0, 0.0], [0.5, 0.0]]);
    assert_eq!(wrong, Err("frequency 1 of transform 0 is off by 0.5".to_owned()));
}

//! More than 4 GiB for real, at once and in parts. It takes 10 GB and a minute, so it is done only where
//! `SEAWALL_KIT_LARGE` is set.

use seawall::Runtime;
use seawall_kit::scan::Kind;
use seawall_kit::sort::Order;
use seawall_kit::{Kit, Op, compact, histogram, reduce, scan, top};

/// 4.4 GB of words.
const LEN: usize = 1_100_000_001;

/// The words repeat so, but for the last one, which only one place has.
const PATTERN: [u32; 3] = [1, 2, 3];
const LAST: u32 = 7;

/// Of all words before a place.
fn sum(place: usize) -> u32 {
    let rest: u32 = PATTERN[..place % 3].iter().sum();
    (6 * (place / 3) as u64) as u32 + rest
}

#[test]
fn more_than_4_gib() {
    if std::env::var_os("SEAWALL_KIT_LARGE").is_none() {
        return;
    }
    let runtime = Runtime::builder().device("cpu").open().unwrap();
    let x = runtime.buffer::<u32>(LEN).unwrap();
    x.fill_bytes(bytemuck::cast_slice(&PATTERN)).unwrap();
    x.write(LEN - 1, &[LAST]).unwrap();
    for kit in [Kit::new(&runtime), Kit::new(&runtime).part_bytes(1 << 30)] {
        assert_eq!(reduce::reduce(&kit, Op::Sum, &x).unwrap(), sum(LEN - 1) + LAST);
        assert_eq!(reduce::reduce(&kit, Op::Max, &x).unwrap(), LAST);
        let counts = runtime.buffer::<u32>(8).unwrap();
        histogram::histogram(&kit, "value", &x, &counts).unwrap();
        let third = |at: u32| (LEN as u32 - 1 - at).div_ceil(3);
        assert_eq!(counts.to_vec().unwrap(), [0, third(0), third(1), third(2), 0, 0, 0, 1]);
        let (keys, places) = (runtime.buffer::<u32>(1).unwrap(), runtime.buffer::<u32>(1).unwrap());
        top::top(&kit, Order::Descending, &x, &keys, &places).unwrap();
        assert_eq!((keys.to_vec().unwrap(), places.to_vec().unwrap()), (vec![LAST], vec![LEN as u32 - 1]));
        some(&kit, &x);
        all(&kit, &x);
    }
}

/// What is kept lies beyond 4 GiB, too.
fn some(kit: &Kit<'_>, x: &seawall::Buffer<u32>) {
    let y = kit.runtime().buffer::<u32>(LEN / 500).unwrap();
    let count = compact::filter(kit, "value == 7u || i % 1000u == 999u", x, &y).unwrap();
    assert_eq!(count, LEN / 1000 + 1);
    let found = y.to_vec().unwrap();
    assert!((0..count - 1).all(|at| found[at] == PATTERN[(1000 * at + 999) % 3]));
    assert_eq!(found[count - 1], LAST);
}

fn all(kit: &Kit<'_>, x: &seawall::Buffer<u32>) {
    let y = kit.runtime().buffer::<u32>(LEN).unwrap();
    for kind in [Kind::Inclusive, Kind::Exclusive] {
        let shift = match kind {
            Kind::Inclusive => {
                scan::inclusive(kit, Op::Sum, x, &y).unwrap();
                1
            }
            Kind::Exclusive => {
                scan::exclusive(kit, Op::Sum, x, &y).unwrap();
                0
            }
        };
        // Places all over, and around 4 GiB.
        for first in (0..LEN - 2000).step_by(LEN / 97).chain([(1 << 30) - 1000]) {
            let mut found = [0; 2000];
            y.read(first, &mut found).unwrap();
            assert!((first..).zip(found).all(|(at, found)| found == sum(at + shift)), "from {first} on");
        }
        let mut last = [0];
        y.read(LEN - 1, &mut last).unwrap();
        assert_eq!(last[0], if shift == 1 { sum(LEN - 1) + LAST } else { sum(LEN - 1) });
    }
}

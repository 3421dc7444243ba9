//! What a transform promises, by the sum that defines it.

use super::{Complex, Way};

/// Whether `y` is the transform of each `len` elements of `x`, up to some roundings for each pass. Of each transform
/// only some frequencies are looked at, as the sums take long.
pub fn verify(way: Way, len: usize, x: &[Complex], y: &[Complex]) -> Result<(), String> {
    if x.len() != y.len() {
        return Err(format!("{} results for {} elements", y.len(), x.len()));
    }
    let (sign, scale) = match way {
        Way::Forward => (-1.0, 1.0),
        Way::Inverse => (1.0, 1.0 / len as f64),
    };
    for (which, (x, y)) in x.chunks(len).zip(y.chunks(len)).enumerate() {
        let size = x.iter().map(|&[re, im]| f64::from(re).hypot(f64::from(im))).sum::<f64>() * scale;
        let slack = size * 4.0 * f64::from(f32::EPSILON) * (1.0 + f64::from(len.trailing_zeros()));
        for at in (0..len).step_by((len / 16).max(1)).chain([len - 1]) {
            let (mut re, mut im) = (0.0, 0.0);
            for (k, &[a, b]) in x.iter().enumerate() {
                let turn = sign * std::f64::consts::TAU * ((k * at) % len) as f64 / len as f64;
                let (sine, cosine) = turn.sin_cos();
                re += f64::from(a) * cosine - f64::from(b) * sine;
                im += f64::from(a) * sine + f64::from(b) * cosine;
            }
            let off = (f64::from(y[at][0]) - re * scale).hypot(f64::from(y[at][1]) - im * scale);
            if off > slack {
                return Err(format!("frequency {at} of transform {which} is off by {off}"));
            }
        }
    }
    Ok(())
}

//! What gather and scatter promise, where all indices lead somewhere.

use crate::number::Number;

/// Whether each place of `y` has the element that its index says.
pub fn verify_gather<V: Number>(x: &[V], indices: &[u32], y: &[V]) -> Result<(), String> {
    if y.len() != indices.len() {
        return Err(format!("{} results for {} indices", y.len(), indices.len()));
    }
    for (at, (&from, found)) in indices.iter().zip(y).enumerate() {
        match x.get(from as usize) {
            Some(value) if bytemuck::bytes_of(value) == bytemuck::bytes_of(found) => {}
            Some(value) => return Err(format!("place {at} is {found:?}, not {value:?}")),
            None => return Err(format!("index {from} at {at} leads nowhere")),
        }
    }
    Ok(())
}

/// Whether each place of `y` that an index says has an element of such an index, and all others what they had.
pub fn verify_scatter<V: Number>(x: &[V], indices: &[u32], before: &[V], y: &[V]) -> Result<(), String> {
    let bytes = |value: &V| bytemuck::bytes_of(value).to_vec();
    let mut wanted = vec![Vec::new(); y.len()];
    for (value, &to) in x.iter().zip(indices) {
        wanted.get_mut(to as usize).ok_or_else(|| format!("index {to} leads nowhere"))?.push(bytes(value));
    }
    for (at, (found, mut wanted)) in y.iter().zip(wanted).enumerate() {
        if wanted.is_empty() {
            wanted.push(bytes(&before[at]));
        }
        if !wanted.contains(&bytes(found)) {
            return Err(format!("place {at} is {found:?}, which nobody put there"));
        }
    }
    Ok(())
}

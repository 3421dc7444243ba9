//! Checked byte arithmetic, fallible reservation and basis points, for every planner.
//!
//! A planner must never answer from a wrapped sum, nor take the process down because a
//! graph is large, so both failures are values. Reservation goes through an [`Allowance`],
//! which also lets a caller bound what one call may take, and a test refuse each
//! reservation in turn.

/// Arithmetic or storage that does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A quantity over `u64::MAX`.
    #[error("{what} overflow 64 bits; give smaller sizes")]
    Overflow {
        /// The quantity.
        what: &'static str,
    },
    /// Memory that the planner itself needs and does not get.
    #[error(
        "no storage for {bytes} more bytes of {what}; free memory, raise the scratch's limit, or plan less at once"
    )]
    Storage {
        /// What would have lived there.
        what: &'static str,
        /// How much was asked for.
        bytes: u64,
    },
}

/// `a + b`.
pub fn add(what: &'static str, a: u64, b: u64) -> Result<u64, Error> {
    a.checked_add(b).ok_or(Error::Overflow { what })
}

/// `a * b`.
pub fn mul(what: &'static str, a: u64, b: u64) -> Result<u64, Error> {
    a.checked_mul(b).ok_or(Error::Overflow { what })
}

/// The least multiple of `align`, a power of two, that is at least `a`.
pub fn align_up(what: &'static str, a: u64, align: u64) -> Result<u64, Error> {
    Ok(add(what, a, align - 1)? & !(align - 1))
}

/// `floor(part * 10000 / whole)`, 0 when `whole` is 0, and `u64::MAX` beyond that.
pub fn basis_points(part: u64, whole: u64) -> u64 {
    let exact = (u128::from(part) * 10_000).checked_div(u128::from(whole)).unwrap_or(0);
    u64::try_from(exact).unwrap_or(u64::MAX)
}

/// How many bytes one call may still reserve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    left_bytes: u64,
}

impl Allowance {
    /// At most `limit_bytes`, or whatever the machine gives.
    pub fn new(limit_bytes: Option<u64>) -> Self {
        Self { left_bytes: limit_bytes.unwrap_or(u64::MAX) }
    }

    /// Empties `vec` and makes room in it for `len` items.
    pub fn room<T>(&mut self, what: &'static str, vec: &mut Vec<T>, len: usize) -> Result<(), Error> {
        vec.clear();
        let Some(more) = len.checked_sub(vec.capacity()).filter(|&more| more > 0) else { return Ok(()) };
        let bytes = (more as u64).saturating_mul(size_of::<T>() as u64);
        let refused = Error::Storage { what, bytes };
        self.left_bytes = self.left_bytes.checked_sub(bytes).ok_or(refused)?;
        vec.try_reserve_exact(len).map_err(|_| refused)
    }

    /// Makes room in `vec` for `len` more items, and for as many again as it had when it must grow.
    pub fn more<T>(&mut self, what: &'static str, vec: &mut Vec<T>, len: usize) -> Result<(), Error> {
        let capacity = vec.capacity();
        if vec.len().saturating_add(len) <= capacity {
            return Ok(());
        }
        let wanted = vec.len().saturating_add(len).max(capacity.saturating_mul(2));
        let bytes = ((wanted - capacity) as u64).saturating_mul(size_of::<T>() as u64);
        let refused = Error::Storage { what, bytes };
        self.left_bytes = self.left_bytes.checked_sub(bytes).ok_or(refused)?;
        vec.try_reserve_exact(wanted - vec.len()).map_err(|_| refused)
    }

    /// `len` items of `vec` to overwrite: whatever an earlier call left there, or zeros.
    pub fn stale<'a, T: Copy + Default>(
        &mut self,
        what: &'static str,
        vec: &'a mut Vec<T>,
        len: usize,
    ) -> Result<&'a mut [T], Error> {
        if vec.len() < len {
            self.room(what, vec, len)?;
            vec.resize(len, T::default());
        }
        Ok(&mut vec[..len])
    }

    /// `len` zeros in `vec`.
    pub fn zeros<'a, T: Copy + Default>(
        &mut self,
        what: &'static str,
        vec: &'a mut Vec<T>,
        len: usize,
    ) -> Result<&'a mut [T], Error> {
        self.room(what, vec, len)?;
        vec.resize(len, T::default());
        Ok(vec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_stops_at_the_edge() {
        let over = Err(Error::Overflow { what: "sums" });
        assert_eq!(add("sums", u64::MAX - 1, 1), Ok(u64::MAX));
        assert_eq!(add("sums", u64::MAX, 1), over);
        assert_eq!(mul("sums", u64::MAX, 1), Ok(u64::MAX));
        assert_eq!(mul("sums", 1 << 32, 1 << 32), over);
        assert_eq!(align_up("sums", u64::MAX - 3, 4), Ok(u64::MAX - 3));
        assert_eq!(align_up("sums", u64::MAX - 2, 4), over);
        assert_eq!(align_up("sums", u64::MAX, 1), Ok(u64::MAX));
    }

    #[test]
    fn basis_points_are_floored_in_128_bits() {
        assert_eq!(basis_points(476, 512), 9296);
        assert_eq!(basis_points(u64::MAX, u64::MAX), 10_000);
        assert_eq!(basis_points(u64::MAX - 1, u64::MAX), 9_999);
        assert_eq!(basis_points(5, 0), 0);
        assert_eq!(basis_points(u64::MAX, 1), u64::MAX);
    }

    #[test]
    fn an_allowance_counts_only_growth() {
        let mut vec: Vec<u32> = Vec::new();
        let mut allowance = Allowance::new(Some(48));
        assert_eq!(allowance.room("items", &mut vec, 8), Ok(()));
        assert_eq!(allowance.stale("items", &mut vec, 8).map(|items| items.len()), Ok(8));
        let refused = Err(Error::Storage { what: "items", bytes: 20 });
        assert_eq!(allowance.room("items", &mut vec, 13), refused);
        assert_eq!(allowance.room("items", &mut vec, 12), Ok(()), "a refusal costs nothing");
    }

    #[test]
    fn a_request_beyond_the_machine_is_an_error() {
        let refused = Error::Storage { what: "items", bytes: u64::MAX };
        assert_eq!(Allowance::new(None).room("items", &mut Vec::<u64>::new(), usize::MAX), Err(refused));
    }
}

//! How many: in one to three dimensions.

use crate::error::Error;

/// One to three numbers, the rest 1: `n`, `[x, y]`, `[x, y, z]`, of any type that lengths and
/// literals have. What does not fit a `u32` is an error where it is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dims([i128; 3]);

impl Dims {
    /// As devices have them.
    pub fn get(self) -> Result<[u32; 3], Error> {
        let [x, y, z] = self.0.map(u32::try_from);
        match (x, y, z) {
            (Ok(x), Ok(y), Ok(z)) => Ok([x, y, z]),
            _ => Err(Error::Grid { grid: self.0.map(|count| count.to_string()).join(" x ") }),
        }
    }
}

macro_rules! dims {
    ($($number:ty),*) => {$(
        impl From<$number> for Dims {
            fn from(x: $number) -> Self {
                Self([x as i128, 1, 1])
            }
        }

        impl From<[$number; 2]> for Dims {
            fn from([x, y]: [$number; 2]) -> Self {
                Self([x as i128, y as i128, 1])
            }
        }

        impl From<[$number; 3]> for Dims {
            fn from(all: [$number; 3]) -> Self {
                Self(all.map(|count| count as i128))
            }
        }
    )*};
}

// A literal of no type of its own is an `i32` where it could be several.
dims!(u32, usize, u64, i32);

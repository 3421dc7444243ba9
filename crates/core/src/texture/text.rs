//! Shapes and samplers as people write them, in tests, job files and on the command line.

use super::{Address, Dim, Filter, Format, Sampler, Shape};

impl Shape {
    /// `rgba8unorm 640x480`, `r32float 64x64x8 levels 3`: a format, a size for as many dimensions as a texture
    /// has, and levels if there are several. The error says what is wrong with it.
    pub fn parse(dim: Dim, text: &str) -> Result<Self, String> {
        let mut words = text.split_whitespace();
        let (Some(format), Some(size)) = (words.next(), words.next()) else {
            return Err(format!("`{text}` is no image: write a format and a size, as in `rgba8unorm 640x480`"));
        };
        let format = Format::named(format).ok_or_else(|| format!("there is no format `{format}`"))?;
        let shape = Self::new(dim, format, sizes(dim, size)?).map_err(|error| error.to_string())?;
        match (words.next(), words.next(), words.next()) {
            (None, ..) => Ok(shape),
            (Some("levels"), Some(levels), None) => {
                let levels = levels.parse().map_err(|_| format!("`{levels}` is no number of levels"))?;
                shape.levels(levels).map_err(|error| error.to_string())
            }
            (Some(word), ..) => Err(format!("`{word}` says nothing about an image; `levels N` would")),
        }
    }
}

/// `640x480`.
fn sizes(dim: Dim, text: &str) -> Result<[u32; 3], String> {
    let wanted = match dim {
        Dim::D1 => 1,
        Dim::D2 => 2,
        Dim::D2Array | Dim::D3 => 3,
    };
    let parts: Vec<&str> = text.split('x').collect();
    if parts.len() != wanted {
        return Err(format!("`{text}` has {} dimensions; a {dim} image has {wanted}", parts.len()));
    }
    let mut size = [1; 3];
    for (size, part) in size.iter_mut().zip(parts) {
        *size = part.parse().map_err(|_| format!("`{part}` is no size"))?;
    }
    Ok(size)
}

impl std::str::FromStr for Sampler {
    type Err = String;

    /// Words in any order, each for all that is not said by a later one: `nearest` or `linear`, `mag=`, `min=` and
    /// `mip=` with one of them; `clamp`, `repeat` or `mirror`, `u=`, `v=` and `w=` with one of them; `lod=0..4`.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut sampler = Self::nearest();
        for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
            said(&mut sampler, word).ok_or_else(|| {
                let known = "`nearest`, `linear`, `clamp`, `repeat`, `mirror`, `mip=linear`, `u=repeat`, `lod=0..4`";
                format!("`{word}` says nothing about a sampler; {known} and the like would")
            })?;
        }
        Ok(sampler)
    }
}

fn said(sampler: &mut Sampler, word: &str) -> Option<()> {
    if let Some(filter) = filter(word) {
        (sampler.mag, sampler.min, sampler.mip) = (filter, filter, filter);
        return Some(());
    }
    if let Some(address) = address(word) {
        sampler.address = [address; 3];
        return Some(());
    }
    let (name, value) = word.split_once('=')?;
    match name {
        "mag" => sampler.mag = filter(value)?,
        "min" => sampler.min = filter(value)?,
        "mip" => sampler.mip = filter(value)?,
        "u" => sampler.address[0] = address(value)?,
        "v" => sampler.address[1] = address(value)?,
        "w" => sampler.address[2] = address(value)?,
        "lod" => {
            let (least, most) = value.split_once("..")?;
            let number = |text: &str| text.parse::<f32>().ok().filter(|lod| *lod >= 0.0);
            (sampler.lod_min, sampler.lod_max) = (number(least)?, number(most)?);
            return (sampler.lod_min <= sampler.lod_max).then_some(());
        }
        _ => return None,
    }
    Some(())
}

fn filter(word: &str) -> Option<Filter> {
    match word {
        "nearest" => Some(Filter::Nearest),
        "linear" => Some(Filter::Linear),
        _ => None,
    }
}

fn address(word: &str) -> Option<Address> {
    match word {
        "clamp" => Some(Address::ClampToEdge),
        "repeat" => Some(Address::Repeat),
        "mirror" => Some(Address::MirrorRepeat),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_read() {
        let shape = Shape::d2(Format::Rgba8Unorm, 640, 480).unwrap();
        assert_eq!(Shape::parse(Dim::D2, "rgba8unorm 640x480"), Ok(shape));
        let block = Shape::d3(Format::R32Float, 8, 4, 2).unwrap().levels(3).unwrap();
        assert_eq!(Shape::parse(Dim::D3, "r32float 8x4x2 levels 3"), Ok(block));
        for (text, expected) in [
            ("rgba8unorm", "is no image"),
            ("rgba8 1x1", "there is no format `rgba8`"),
            ("r8uint 3", "`3` has 1 dimensions; a 2d image has 2"),
            ("r8uint 3xb", "`b` is no size"),
            ("r8uint 0x1", "not 0"),
            ("r8uint 4x4 levels", "`levels` says nothing"),
            ("r8uint 4x4 levels 9", "1 to 3 levels"),
        ] {
            let error = Shape::parse(Dim::D2, text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn samplers_are_read() {
        let sampler: Sampler = "linear mip=nearest, repeat w=clamp lod=1..2.5".parse().unwrap();
        let address = [Address::Repeat, Address::Repeat, Address::ClampToEdge];
        let expected = Sampler { address, mip: Filter::Nearest, lod_min: 1.0, lod_max: 2.5, ..Sampler::linear() };
        assert_eq!(sampler, expected);
        for text in ["cubic", "mag=repeat", "lod=2..1", "lod=a..b", "x=clamp"] {
            assert!(text.parse::<Sampler>().unwrap_err().starts_with(&format!("`{text}` says nothing")));
        }
    }
}

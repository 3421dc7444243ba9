//! Graphs from text: lists of edges, and Matrix Market files.

use super::{Csr, Edge, Error, Kind, error::Wrong};

/// Whether edges shall have weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weights {
    /// The third number of each line.
    Read,
    /// Whatever follows the vertices is left alone.
    Left,
}

impl Csr {
    /// From a Matrix Market file, if the text begins like one, or a list of edges.
    ///
    /// ```
    /// # fn main() -> Result<(), seawall_kit::csr::Error> {
    /// use seawall_kit::csr::{Csr, Kind, Weights};
    ///
    /// let text = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n";
    /// let read = |text| Csr::read(text, Kind::Undirected, Weights::Left);
    /// assert_eq!(read(text)?, read("0 1\n1 2\n")?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn read(text: &str, kind: Kind, weights: Weights) -> Result<Self, Error> {
        let is_matrix = text.get(..14).is_some_and(|start| start.eq_ignore_ascii_case("%%MatrixMarket"));
        let read = if is_matrix { Self::mtx } else { Self::edge_list };
        read(text, kind, weights)
    }

    /// From lines of two vertices, counted from 0, and perhaps a weight. There are as many vertices as are named; lines
    /// that begin with `#` or `%` say nothing.
    ///
    /// ```
    /// # fn main() -> Result<(), seawall_kit::csr::Error> {
    /// use seawall_kit::csr::{Csr, Kind, Weights};
    ///
    /// let csr = Csr::edge_list("# a path\n0 1 7\n1 2 5\n", Kind::Directed, Weights::Read)?;
    /// assert_eq!((csr.neighbours(0), csr.weights()), (&[1][..], &[7, 5][..]));
    /// let refused = Csr::edge_list("0 1 -7", Kind::Directed, Weights::Read).unwrap_err();
    /// assert_eq!(refused.to_string(), "line 1: the weight -7 is negative");
    /// # Ok(())
    /// # }
    /// ```
    pub fn edge_list(text: &str, kind: Kind, weights: Weights) -> Result<Self, Error> {
        let (edges, named) = edges(text.lines().enumerate(), 0, None, weights)?;
        made(named, kind, weights, &edges)
    }

    /// From a Matrix Market file: the places of a square matrix that hold something. Those of a symmetric one stand for
    /// two edges each.
    pub fn mtx(text: &str, kind: Kind, weights: Weights) -> Result<Self, Error> {
        let mut lines = text.lines().enumerate();
        let header = lines.next().map(|(_, line)| line.to_lowercase()).unwrap_or_default();
        let mut words = header.split_whitespace();
        if !["%%matrixmarket", "matrix", "coordinate"].iter().all(|word| words.next() == Some(word)) {
            return Err(Error::Line { line: 1, what: Wrong::Header });
        }
        let (field, symmetry) = (words.next().unwrap_or("pattern"), words.next().unwrap_or("general"));
        if weights == Weights::Read && !["integer", "real"].contains(&field) {
            return Err(Error::Line { line: 1, what: Wrong::Field(field.to_owned()) });
        }
        let says_something = |(_, line): &(usize, &str)| !line.starts_with('%') && !line.trim().is_empty();
        let Some((at, sizes)) = lines.by_ref().find(says_something) else { return Err(Error::NoSize) };
        let numbers: Vec<Option<usize>> = sizes.split_whitespace().map(|word| word.parse().ok()).collect();
        let (vertices, said) = match numbers[..] {
            [Some(rows), Some(columns), Some(entries)] if rows == columns => (rows, entries),
            _ => return Err(Error::Line { line: at + 1, what: Wrong::Size(sizes.to_owned()) }),
        };
        let (mut edges, _) = edges(lines, 1, Some(vertices), weights)?;
        if edges.len() != said {
            return Err(Error::Entries { found: edges.len(), said, line: at + 1 });
        }
        if symmetry != "general" && kind == Kind::Directed {
            let other = |&(from, to, weight): &Edge| (from != to).then_some((to, from, weight));
            edges.extend(edges.iter().filter_map(other).collect::<Vec<_>>());
        }
        made(vertices, kind, weights, &edges)
    }
}

fn made(vertices: usize, kind: Kind, weights: Weights, edges: &[Edge]) -> Result<Csr, Error> {
    match weights {
        Weights::Read => Csr::weighted(vertices, kind, edges),
        Weights::Left => {
            let pairs: Vec<(u32, u32)> = edges.iter().map(|&(from, to, _)| (from, to)).collect();
            Csr::new(vertices, kind, &pairs)
        }
    }
}

/// Edges of lines, whose vertices are counted from `first` on, and how many vertices they name.
fn edges<'a>(
    lines: impl Iterator<Item = (usize, &'a str)>,
    first: u32,
    vertices: Option<usize>,
    weights: Weights,
) -> Result<(Vec<Edge>, usize), Error> {
    let (mut edges, mut named) = (Vec::new(), 0);
    for (at, line) in lines {
        if line.starts_with(['#', '%']) || line.trim().is_empty() {
            continue;
        }
        let wrong = |what| Error::Line { line: at + 1, what };
        let mut words = line.split_whitespace();
        let mut vertex = || words.next()?.parse::<u32>().ok()?.checked_sub(first);
        let (Some(from), Some(to)) = (vertex(), vertex()) else {
            return Err(wrong(Wrong::Vertices(line.to_owned())));
        };
        let last = from.max(to) as usize;
        if vertices.is_some_and(|count| last >= count) {
            return Err(wrong(Wrong::Outside));
        }
        named = named.max(last + 1);
        let weight = match weights {
            Weights::Read => {
                weight(words.next().ok_or_else(|| wrong(Wrong::NoWeight(line.to_owned())))?).map_err(wrong)?
            }
            Weights::Left => 0,
        };
        edges.push((from, to, weight));
    }
    Ok((edges, named))
}

/// A whole number, perhaps written as a real one.
fn weight(word: &str) -> Result<u32, Wrong> {
    let number: f64 = word.parse().map_err(|_| Wrong::Weight(word.to_owned()))?;
    if number < 0.0 {
        return Err(Wrong::Negative(word.to_owned()));
    }
    if number.fract() != 0.0 || number >= f64::from(u32::MAX) {
        return Err(Wrong::Weight(word.to_owned()));
    }
    Ok(number as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "%%MatrixMarket matrix coordinate pattern symmetric\n% a path\n4 4 3\n2 1\n3 2\n4 3\n";

    fn list(text: &str, weights: Weights) -> Result<Csr, String> {
        Csr::edge_list(text, Kind::Undirected, weights).map_err(|error| error.to_string())
    }

    fn mtx(text: &str, weights: Weights) -> Result<Csr, String> {
        Csr::mtx(text, Kind::Undirected, weights).map_err(|error| error.to_string())
    }

    #[test]
    fn graphs_are_read() {
        let path = Csr::grid(4, 1).unwrap();
        assert_eq!(list("# a path\n0 1\n1 2\n\n2 3\n", Weights::Left), Ok(path.clone()));
        assert_eq!(mtx(PATH, Weights::Left), Ok(path.clone()));
        // Places of a symmetric matrix are edges both ways, in a directed graph too.
        let both = Csr::mtx(PATH, Kind::Directed, Weights::Left).unwrap();
        assert_eq!((both.edges(), both.sources(1)), (path.edges(), path.neighbours(1)));
        let weighted = PATH.replace("pattern", "real").replace("2 1", "2 1 5").replace("3 2", "3 2 6e0");
        let weighted = mtx(&weighted.replace("4 3\n", "4 3 0\n").replace("4 4 3 0", "4 4 3"), Weights::Read).unwrap();
        assert_eq!(weighted.weights(), [5, 5, 6, 6, 0, 0]);
        assert_eq!(list("", Weights::Left).unwrap().vertices(), 0);
    }

    #[test]
    fn mistakes_are_told() {
        let wrong = |text: &str, said: &str| {
            assert_eq!(list(text, Weights::Read).unwrap_err(), said, "{text}");
        };
        wrong("0 1 2\n0 one", "line 2: `0 one` does not begin with two vertices");
        wrong("0 -1", "line 1: `0 -1` does not begin with two vertices");
        wrong("0 1", "line 1: `0 1` has no third number, which is the weight");
        wrong("0 1 -2.5", "line 1: the weight -2.5 is negative");
        wrong("0 1 2.5", "line 1: the weight 2.5 is no whole number below 4294967295");
        wrong("0 1 4294967295", "line 1: the weight 4294967295 is no whole number below 4294967295");
        wrong("0 1 nan", "line 1: the weight nan is no whole number below 4294967295");
        wrong("0 4294967290 1", "there are 4294967291 vertices, and at most 4294966271 can be worked on");
        let wrong = |text: &str, said: &str| {
            assert_eq!(mtx(text, Weights::Left).unwrap_err(), said, "{text}");
        };
        wrong("1 2", "line 1: it is not `%%MatrixMarket matrix coordinate …`");
        wrong("%%MatrixMarket matrix coordinate\n", "there is no line with the size of the matrix");
        wrong(
            "%%MatrixMarket matrix coordinate\n4 5 3",
            "line 2: `4 5 3` is not the size of a square matrix and its number of entries",
        );
        wrong(&PATH.replace("\n4 3\n", "\n9 3\n"), "line 6: there is no such vertex");
        wrong(&PATH.replace("\n4 3\n", "\n0 3\n"), "line 6: `0 3` does not begin with two vertices");
        wrong(&PATH.replace("\n4 3\n", "\n"), "there are 2 entries, and line 3 says 3");
        assert_eq!(mtx(PATH, Weights::Read).unwrap_err(), "line 1: entries of kind `pattern` are no weights");
    }
}

//! Matrices: products, determinants, inverses.

use naga::TypeInner;

use super::Builder;
use crate::ir::{Binary, Ty, Unary, Value};

impl Builder<'_> {
    pub(super) fn outer(&mut self, left: &[Value], right: &[Value]) -> Vec<Value> {
        // As the reference device has it: see its room for geometry.
        let (rows, columns) = if left.len() == right.len() { (left, right) } else { (right, left) };
        let mut values = Vec::new();
        for &x in columns {
            values.extend(rows.iter().map(|&y| self.binary(Binary::Mul, y, x)));
        }
        values
    }

    /// The determinant of what the chosen columns and rows of a square matrix share.
    pub(super) fn minor(&mut self, items: &[Value], columns: &[usize], rows: &[usize], size: usize) -> Value {
        let (&column, others) = columns.split_first().expect("a matrix has columns");
        if others.is_empty() {
            return items[column * size + rows[0]];
        }
        let mut sum = None;
        for (i, &row) in rows.iter().enumerate() {
            let rest: Vec<usize> = rows.iter().copied().filter(|&other| other != row).collect();
            let minor = self.minor(items, others, &rest, size);
            let term = self.binary(Binary::Mul, items[column * size + row], minor);
            let op = if i % 2 == 1 { Binary::Sub } else { Binary::Add };
            sum = Some(sum.map_or(term, |sum| self.binary(op, sum, term)));
        }
        sum.expect("a matrix has rows")
    }

    pub(super) fn inverse(&mut self, items: &[Value], size: usize) -> Vec<Value> {
        let all: Vec<usize> = (0..size).collect();
        let determinant = self.minor(items, &all, &all, size);
        let without = |skip: usize| -> Vec<usize> { (0..size).filter(|&i| i != skip).collect() };
        let mut values = Vec::new();
        for column in 0..size {
            for row in 0..size {
                let cofactor = self.minor(items, &without(row), &without(column), size);
                let odd = (row + column) % 2 == 1;
                let signed = if odd { self.unary(Unary::Negate, cofactor) } else { cofactor };
                values.push(self.binary(Binary::Div, signed, determinant));
            }
        }
        values
    }

    /// A product with at least one matrix, rows summed from left to right.
    pub(super) fn matrix_product(
        &mut self,
        (left_shape, left): (&TypeInner, &[Value]),
        (right_shape, right): (&TypeInner, &[Value]),
    ) -> Vec<Value> {
        let half = self.f.ty(left[0]) == Ty::F16;
        let wide = |this: &mut Self, values: &[Value]| -> Vec<Value> {
            values.iter().map(|&value| this.widen(value)).collect()
        };
        let (left, right) = (wide(self, left), wide(self, right));
        let product = match (left_shape, right_shape) {
            (TypeInner::Matrix { .. }, TypeInner::Scalar(_)) => {
                left.iter().map(|&x| self.binary(Binary::Mul, x, right[0])).collect()
            }
            (TypeInner::Scalar(_), TypeInner::Matrix { .. }) => {
                right.iter().map(|&x| self.binary(Binary::Mul, left[0], x)).collect()
            }
            (TypeInner::Vector { .. }, TypeInner::Matrix { .. }) => {
                let rows = matrix(right_shape).1;
                right.chunks(rows).map(|column| self.dot(&left, column)).collect()
            }
            (TypeInner::Matrix { .. }, TypeInner::Vector { .. } | TypeInner::Matrix { .. }) => {
                let (columns, rows) = matrix(left_shape);
                let mut values = Vec::new();
                for vector in right.chunks(columns) {
                    for r in 0..rows {
                        let row: Vec<Value> = (0..columns).map(|c| left[c * rows + r]).collect();
                        values.push(self.dot(&row, vector));
                    }
                }
                values
            }
            (left, right) => unreachable!("invariant matrices: {left:?} times {right:?}"),
        };
        if !half {
            return product;
        }
        product.into_iter().map(|value| self.convert(value, Ty::F16)).collect()
    }
}

/// Columns and rows of a matrix.
pub(super) fn matrix(shape: &TypeInner) -> (usize, usize) {
    match shape {
        TypeInner::Matrix { columns, rows, .. } => (*columns as usize, *rows as usize),
        other => unreachable!("invariant matrices: {other:?}"),
    }
}

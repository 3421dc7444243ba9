//! Matrices: composites of their columns.

use super::{Num, Value, Vector, arith, geometry, half, narrow, nums, widen, zip};

/// The product of two operands of which at least one is a matrix.
pub(super) fn multiply(left: &Value, right: &Value) -> Value {
    if half(left) {
        return narrow(&multiply(&widen(left), &widen(right)));
    }
    match (left, right) {
        (Value::Num(_), Value::Composite(_)) | (Value::Composite(_), Value::Num(_)) => {
            zip(left, right, arith::multiply)
        }
        (Value::Composite(columns), Value::Vector(vector)) => Value::Vector(transform(columns, vector.items())),
        (Value::Vector(vector), Value::Composite(columns)) => {
            Value::Vector(Vector::new(columns.iter().map(|column| geometry::dot(vector.items(), nums(column)))))
        }
        (Value::Composite(left), Value::Composite(right)) => {
            Value::Composite(right.iter().map(|column| Value::Vector(transform(left, nums(column)))).collect())
        }
        (Value::Num(_) | Value::Vector(_), Value::Num(_) | Value::Vector(_)) => {
            unreachable!("invariant operand shapes: {left:?} and {right:?}")
        }
    }
}

/// A matrix times a column: each row's products are summed from left to right.
fn transform(columns: &[Value], vector: &[Num]) -> Vector {
    let row = |r: usize| {
        let product = |c: usize| arith::multiply(nums(&columns[c])[r], vector[c]);
        (1..vector.len()).fold(product(0), |sum, c| arith::add(sum, product(c)))
    };
    Vector::new((0..nums(&columns[0]).len()).map(row))
}

/// Columns become rows.
pub(super) fn transpose(matrix: &Value) -> Value {
    let columns = columns(matrix);
    let row = |r: usize| Vector::new(columns.iter().map(|column| nums(column)[r]));
    Value::Composite((0..nums(&columns[0]).len()).map(|r| Value::Vector(row(r))).collect())
}

/// The determinant, by expansion along the first column.
pub(super) fn determinant(matrix: &Value) -> Num {
    let (items, size) = grid(matrix);
    let all = [0, 1, 2, 3];
    minor(&items, &all[..size], &all[..size])
}

/// The adjugate over the determinant.
pub(super) fn inverse(matrix: &Value) -> Value {
    let (items, size) = grid(matrix);
    let determinant = determinant(matrix);
    let without = |skip: usize| {
        let mut rest = [0; 3];
        (0..size).filter(|&i| i != skip).zip(&mut rest).for_each(|(i, slot)| *slot = i);
        rest
    };
    let item = |column: usize, row: usize| {
        // The adjugate is transposed: its item at (c, r) leaves out column r and row c.
        let cofactor = minor(&items, &without(row)[..size - 1], &without(column)[..size - 1]);
        let odd = (row + column) % 2 == 1;
        arith::divide(if odd { arith::negate(cofactor) } else { cofactor }, determinant)
    };
    let column = |c: usize| Value::Vector(Vector::new((0..size).map(|r| item(c, r))));
    Value::Composite((0..size).map(column).collect())
}

/// The determinant of what the chosen columns and rows have in common.
fn minor(items: &[[Num; 4]; 4], columns: &[usize], rows: &[usize]) -> Num {
    let (&column, columns) = columns.split_first().expect("a matrix has columns");
    if columns.is_empty() {
        return items[column][rows[0]];
    }
    let term = |i: usize| {
        let mut rest = [0; 3];
        let others = rows.iter().enumerate().filter(|&(k, _)| k != i);
        others.zip(&mut rest).for_each(|((_, &row), slot)| *slot = row);
        arith::multiply(items[column][rows[i]], minor(items, columns, &rest[..columns.len()]))
    };
    (1..rows.len()).fold(
        term(0),
        |sum, i| {
            if i % 2 == 1 { arith::subtract(sum, term(i)) } else { arith::add(sum, term(i)) }
        },
    )
}

/// The numbers of a square matrix by column and row, and its size.
fn grid(matrix: &Value) -> ([[Num; 4]; 4], usize) {
    let columns = columns(matrix);
    let mut items = [[Num::Bool(false); 4]; 4];
    for (slot, column) in items.iter_mut().zip(columns) {
        slot[..columns.len()].copy_from_slice(nums(column));
    }
    (items, columns.len())
}

fn columns(matrix: &Value) -> &[Value] {
    let Value::Composite(columns) = matrix else { unreachable!("invariant operand shape: {matrix:?} is not a matrix") };
    columns
}

//! Random operations of subgroups.
//!
//! WGSL leaves open what a shuffle gives of an invocation that takes no part, so that portable
//! kernels have none.

use super::Gen;
use super::expr::Expr;
use super::types::{BOOL, Scalar, Ty, U32};

impl Gen {
    /// One of them, now and then, where it need not be the same for all.
    pub(super) fn subgroup(&mut self, ty: Ty, d: usize) -> Option<Expr> {
        if !self.dialect.subgroups || self.uniform || !self.rng.chance(12) {
            return None;
        }
        match ty {
            BOOL => Some(self.vote(d)),
            // Drivers need not have others.
            Ty::Scalar(scalar) | Ty::Vector(_, scalar) if self.dialect.portable && scalar.bytes() != 4 => None,
            // LLVM 15 has no code for some broadcasts of floats, and ends the process.
            Ty::Scalar(scalar) | Ty::Vector(_, scalar) if self.dialect.mesa_22 && scalar.is_float() => None,
            Ty::Scalar(scalar) | Ty::Vector(_, scalar) if scalar != Scalar::Bool => Some(match self.rng.below(10) {
                0..3 => self.reduced(ty, scalar, d),
                3..5 => self.scanned(ty, scalar, d),
                5 => self.apply("subgroupBroadcastFirst", &[ty], d),
                6 if ty == U32 => {
                    let word = self.rng.pick(&["x", "y", "z", "w"]);
                    Expr::new(format!("subgroupBallot({}).{word}", self.live(BOOL, d)))
                }
                _ if self.dialect.portable => self.reduced(ty, scalar, d),
                6 | 7 => self.moved(ty, d),
                _ => self.shuffled(ty, d),
            }),
            _ => None,
        }
    }

    fn vote(&mut self, d: usize) -> Expr {
        match self.rng.below(3) {
            0 => Expr::new("subgroupElect()".to_owned()),
            1 => self.apply("subgroupAll", &[BOOL], d),
            _ => self.apply("subgroupAny", &[BOOL], d),
        }
    }

    fn reduced(&mut self, ty: Ty, scalar: Scalar, d: usize) -> Expr {
        const ALL: [&str; 7] =
            ["subgroupAdd", "subgroupMin", "subgroupMax", "subgroupMul", "subgroupAnd", "subgroupOr", "subgroupXor"];
        let count = match (scalar.is_float(), self.dialect.portable) {
            (true, true) => 3,
            (true, false) => 4,
            (false, _) => ALL.len(),
        };
        let fun = self.rng.pick(&ALL[..count]);
        let expr = self.apply(fun, &[ty], d);
        self.fitted(ty, expr)
    }

    fn scanned(&mut self, ty: Ty, scalar: Scalar, d: usize) -> Expr {
        const ALL: [&str; 4] =
            ["subgroupInclusiveAdd", "subgroupExclusiveAdd", "subgroupInclusiveMul", "subgroupExclusiveMul"];
        let count = if scalar.is_float() && self.dialect.portable { 2 } else { ALL.len() };
        let fun = self.rng.pick(&ALL[..count]);
        let expr = self.apply(fun, &[ty], d);
        self.fitted(ty, expr)
    }

    /// From a lane that is known before the program runs.
    fn moved(&mut self, ty: Ty, d: usize) -> Expr {
        let x = self.live(ty, d);
        let lane = self.rng.pick(&[0, 1, 2, 3, 4, 7, 15, 31, 64, 127]);
        Expr::new(match self.rng.below(8) {
            0 => format!("subgroupBroadcast({x}, {lane})"),
            1 => format!("subgroupShuffle({x}, {lane})"),
            2 => format!("subgroupShuffleUp({x}, {lane})"),
            3 => format!("subgroupShuffleDown({x}, {lane})"),
            4 => format!("subgroupShuffleXor({x}, {lane})"),
            5 => format!("quadBroadcast({x}, {})", lane % 4),
            6 => format!("quadSwapX({x})"),
            _ => format!("{}({x})", self.rng.pick(&["quadSwapY", "quadSwapDiagonal"])),
        })
    }

    /// From one that is not.
    fn shuffled(&mut self, ty: Ty, d: usize) -> Expr {
        let funs = ["subgroupShuffle", "subgroupShuffleUp", "subgroupShuffleDown", "subgroupShuffleXor"];
        let (fun, x, by) = (self.rng.pick(&funs), self.live(ty, d), self.live(U32, d));
        Expr::new(match self.rng.below(3) {
            0 => format!("{fun}({x}, {by})"),
            1 => format!("{fun}({x}, {by} & 7u)"),
            _ => format!("{fun}({x}, {by} % 33u)"),
        })
    }
}

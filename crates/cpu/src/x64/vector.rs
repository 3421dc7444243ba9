//! Operations on vector registers, by the machine's names, and how each is encoded with AVX2.

use iced_x86::Code;

use super::reg::{Bits, Class};

/// Where operands stand in an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// result, a in register or memory
    One,
    /// result, a in register or memory, literal
    OneLiteral,
    /// result, a, b in register or memory
    Two,
    /// the same, and a literal
    TwoLiteral,
    /// result, a, literal; memory will not do
    Shift,
    /// result, a, b in a register
    ShiftBy,
    /// result, the same as its first source, a in register or memory
    Single,
    /// the same, and a literal
    SingleLiteral,
    /// a literal, the result in register or memory
    Turned,
    /// result, b, c in register or memory; the result takes the place of a
    Fused,
    /// result, a, b in register or memory, mask
    Blend,
    /// result, a in register or memory, mask: zero where it does not hold
    Keep,
    /// the result in register or memory, a
    Narrow,
    /// the same by a mask, with zeros behind
    Pack,
}

/// Bytes of the operand that may stand in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reads {
    All,
    Half,
    Quarter,
    Only(u32),
}

macro_rules! vectors {
    ($($name:ident $shape:ident $reads:expr, $x:ident $y:ident;)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(super) enum V {
            $($name,)*
        }

        impl V {
            #[cfg(test)]
            pub(super) const ALL: &[Self] = &[$(Self::$name,)*];

            pub(super) fn shape(self) -> Shape {
                match self {
                    $(Self::$name => Shape::$shape,)*
                }
            }

            fn reads(self) -> Reads {
                match self {
                    $(Self::$name => $reads,)*
                }
            }

            pub(super) fn vex(self, bits: Bits) -> Code {
                match bits {
                    Bits::X => match self {
                        $(Self::$name => Code::$x,)*
                    },
                    Bits::Y => match self {
                        $(Self::$name => Code::$y,)*
                    },
                    Bits::Z => Code::INVALID,
                }
            }
        }
    };
}

use Reads::{All, Half, Only, Quarter};

vectors! {
    AddPs Two All, VEX_Vaddps_xmm_xmm_xmmm128 VEX_Vaddps_ymm_ymm_ymmm256;
    AddPd Two All, VEX_Vaddpd_xmm_xmm_xmmm128 VEX_Vaddpd_ymm_ymm_ymmm256;
    AddSs Two Only(4), VEX_Vaddss_xmm_xmm_xmmm32 INVALID;
    AddSd Two Only(8), VEX_Vaddsd_xmm_xmm_xmmm64 INVALID;
    SubPs Two All, VEX_Vsubps_xmm_xmm_xmmm128 VEX_Vsubps_ymm_ymm_ymmm256;
    SubPd Two All, VEX_Vsubpd_xmm_xmm_xmmm128 VEX_Vsubpd_ymm_ymm_ymmm256;
    SubSs Two Only(4), VEX_Vsubss_xmm_xmm_xmmm32 INVALID;
    SubSd Two Only(8), VEX_Vsubsd_xmm_xmm_xmmm64 INVALID;
    MulPs Two All, VEX_Vmulps_xmm_xmm_xmmm128 VEX_Vmulps_ymm_ymm_ymmm256;
    MulPd Two All, VEX_Vmulpd_xmm_xmm_xmmm128 VEX_Vmulpd_ymm_ymm_ymmm256;
    MulSs Two Only(4), VEX_Vmulss_xmm_xmm_xmmm32 INVALID;
    MulSd Two Only(8), VEX_Vmulsd_xmm_xmm_xmmm64 INVALID;
    DivPs Two All, VEX_Vdivps_xmm_xmm_xmmm128 VEX_Vdivps_ymm_ymm_ymmm256;
    DivPd Two All, VEX_Vdivpd_xmm_xmm_xmmm128 VEX_Vdivpd_ymm_ymm_ymmm256;
    DivSs Two Only(4), VEX_Vdivss_xmm_xmm_xmmm32 INVALID;
    DivSd Two Only(8), VEX_Vdivsd_xmm_xmm_xmmm64 INVALID;
    MinPs Two All, VEX_Vminps_xmm_xmm_xmmm128 VEX_Vminps_ymm_ymm_ymmm256;
    MinPd Two All, VEX_Vminpd_xmm_xmm_xmmm128 VEX_Vminpd_ymm_ymm_ymmm256;
    MinSs Two Only(4), VEX_Vminss_xmm_xmm_xmmm32 INVALID;
    MinSd Two Only(8), VEX_Vminsd_xmm_xmm_xmmm64 INVALID;
    MaxPs Two All, VEX_Vmaxps_xmm_xmm_xmmm128 VEX_Vmaxps_ymm_ymm_ymmm256;
    MaxPd Two All, VEX_Vmaxpd_xmm_xmm_xmmm128 VEX_Vmaxpd_ymm_ymm_ymmm256;
    MaxSs Two Only(4), VEX_Vmaxss_xmm_xmm_xmmm32 INVALID;
    MaxSd Two Only(8), VEX_Vmaxsd_xmm_xmm_xmmm64 INVALID;
    SqrtPs One All, VEX_Vsqrtps_xmm_xmmm128 VEX_Vsqrtps_ymm_ymmm256;
    SqrtPd One All, VEX_Vsqrtpd_xmm_xmmm128 VEX_Vsqrtpd_ymm_ymmm256;
    SqrtSs Single Only(4), VEX_Vsqrtss_xmm_xmm_xmmm32 INVALID;
    SqrtSd Single Only(8), VEX_Vsqrtsd_xmm_xmm_xmmm64 INVALID;
    RoundPs OneLiteral All, VEX_Vroundps_xmm_xmmm128_imm8 VEX_Vroundps_ymm_ymmm256_imm8;
    RoundPd OneLiteral All, VEX_Vroundpd_xmm_xmmm128_imm8 VEX_Vroundpd_ymm_ymmm256_imm8;
    RoundSs SingleLiteral Only(4), VEX_Vroundss_xmm_xmm_xmmm32_imm8 INVALID;
    RoundSd SingleLiteral Only(8), VEX_Vroundsd_xmm_xmm_xmmm64_imm8 INVALID;
    CmpPs TwoLiteral All, VEX_Vcmpps_xmm_xmm_xmmm128_imm8 VEX_Vcmpps_ymm_ymm_ymmm256_imm8;
    CmpPd TwoLiteral All, VEX_Vcmppd_xmm_xmm_xmmm128_imm8 VEX_Vcmppd_ymm_ymm_ymmm256_imm8;
    FmaPs Fused All, VEX_Vfmadd213ps_xmm_xmm_xmmm128 VEX_Vfmadd213ps_ymm_ymm_ymmm256;
    FmaPd Fused All, VEX_Vfmadd213pd_xmm_xmm_xmmm128 VEX_Vfmadd213pd_ymm_ymm_ymmm256;
    FmaSs Fused Only(4), VEX_Vfmadd213ss_xmm_xmm_xmmm32 INVALID;
    FmaSd Fused Only(8), VEX_Vfmadd213sd_xmm_xmm_xmmm64 INVALID;
    SumPs Fused All, VEX_Vfmadd231ps_xmm_xmm_xmmm128 VEX_Vfmadd231ps_ymm_ymm_ymmm256;
    SumPd Fused All, VEX_Vfmadd231pd_xmm_xmm_xmmm128 VEX_Vfmadd231pd_ymm_ymm_ymmm256;
    And Two All, VEX_Vpand_xmm_xmm_xmmm128 VEX_Vpand_ymm_ymm_ymmm256;
    AndNot Two All, VEX_Vpandn_xmm_xmm_xmmm128 VEX_Vpandn_ymm_ymm_ymmm256;
    Or Two All, VEX_Vpor_xmm_xmm_xmmm128 VEX_Vpor_ymm_ymm_ymmm256;
    Xor Two All, VEX_Vpxor_xmm_xmm_xmmm128 VEX_Vpxor_ymm_ymm_ymmm256;
    AndPs Two All, VEX_Vandps_xmm_xmm_xmmm128 VEX_Vandps_ymm_ymm_ymmm256;
    XorPs Two All, VEX_Vxorps_xmm_xmm_xmmm128 VEX_Vxorps_ymm_ymm_ymmm256;
    AddD Two All, VEX_Vpaddd_xmm_xmm_xmmm128 VEX_Vpaddd_ymm_ymm_ymmm256;
    AddQ Two All, VEX_Vpaddq_xmm_xmm_xmmm128 VEX_Vpaddq_ymm_ymm_ymmm256;
    SubD Two All, VEX_Vpsubd_xmm_xmm_xmmm128 VEX_Vpsubd_ymm_ymm_ymmm256;
    SubQ Two All, VEX_Vpsubq_xmm_xmm_xmmm128 VEX_Vpsubq_ymm_ymm_ymmm256;
    MulD Two All, VEX_Vpmulld_xmm_xmm_xmmm128 VEX_Vpmulld_ymm_ymm_ymmm256;
    MulUdq Two All, VEX_Vpmuludq_xmm_xmm_xmmm128 VEX_Vpmuludq_ymm_ymm_ymmm256;
    MinSd32 Two All, VEX_Vpminsd_xmm_xmm_xmmm128 VEX_Vpminsd_ymm_ymm_ymmm256;
    MinUd32 Two All, VEX_Vpminud_xmm_xmm_xmmm128 VEX_Vpminud_ymm_ymm_ymmm256;
    MaxSd32 Two All, VEX_Vpmaxsd_xmm_xmm_xmmm128 VEX_Vpmaxsd_ymm_ymm_ymmm256;
    MaxUd32 Two All, VEX_Vpmaxud_xmm_xmm_xmmm128 VEX_Vpmaxud_ymm_ymm_ymmm256;
    AbsD One All, VEX_Vpabsd_xmm_xmmm128 VEX_Vpabsd_ymm_ymmm256;
    EqualD Two All, VEX_Vpcmpeqd_xmm_xmm_xmmm128 VEX_Vpcmpeqd_ymm_ymm_ymmm256;
    EqualQ Two All, VEX_Vpcmpeqq_xmm_xmm_xmmm128 VEX_Vpcmpeqq_ymm_ymm_ymmm256;
    GreaterD Two All, VEX_Vpcmpgtd_xmm_xmm_xmmm128 VEX_Vpcmpgtd_ymm_ymm_ymmm256;
    GreaterQ Two All, VEX_Vpcmpgtq_xmm_xmm_xmmm128 VEX_Vpcmpgtq_ymm_ymm_ymmm256;
    ShlD Shift All, VEX_Vpslld_xmm_xmm_imm8 VEX_Vpslld_ymm_ymm_imm8;
    ShrD Shift All, VEX_Vpsrld_xmm_xmm_imm8 VEX_Vpsrld_ymm_ymm_imm8;
    SarD Shift All, VEX_Vpsrad_xmm_xmm_imm8 VEX_Vpsrad_ymm_ymm_imm8;
    ShlQ Shift All, VEX_Vpsllq_xmm_xmm_imm8 VEX_Vpsllq_ymm_ymm_imm8;
    ShrQ Shift All, VEX_Vpsrlq_xmm_xmm_imm8 VEX_Vpsrlq_ymm_ymm_imm8;
    // By bytes, within 128 bits.
    ShlBytes Shift All, VEX_Vpslldq_xmm_xmm_imm8 VEX_Vpslldq_ymm_ymm_imm8;
    // Of 16-bit lanes; and their products, the sum of two in each 32-bit lane.
    ShlW Shift All, VEX_Vpsllw_xmm_xmm_imm8 VEX_Vpsllw_ymm_ymm_imm8;
    ShrW Shift All, VEX_Vpsrlw_xmm_xmm_imm8 VEX_Vpsrlw_ymm_ymm_imm8;
    SarW Shift All, VEX_Vpsraw_xmm_xmm_imm8 VEX_Vpsraw_ymm_ymm_imm8;
    MulAddW Two All, VEX_Vpmaddwd_xmm_xmm_xmmm128 VEX_Vpmaddwd_ymm_ymm_ymmm256;
    ShlByD ShiftBy All, VEX_Vpslld_xmm_xmm_xmmm128 VEX_Vpslld_ymm_ymm_xmmm128;
    ShrByD ShiftBy All, VEX_Vpsrld_xmm_xmm_xmmm128 VEX_Vpsrld_ymm_ymm_xmmm128;
    SarByD ShiftBy All, VEX_Vpsrad_xmm_xmm_xmmm128 VEX_Vpsrad_ymm_ymm_xmmm128;
    ShlByQ ShiftBy All, VEX_Vpsllq_xmm_xmm_xmmm128 VEX_Vpsllq_ymm_ymm_xmmm128;
    ShrByQ ShiftBy All, VEX_Vpsrlq_xmm_xmm_xmmm128 VEX_Vpsrlq_ymm_ymm_xmmm128;
    ShlEachD Two All, VEX_Vpsllvd_xmm_xmm_xmmm128 VEX_Vpsllvd_ymm_ymm_ymmm256;
    ShrEachD Two All, VEX_Vpsrlvd_xmm_xmm_xmmm128 VEX_Vpsrlvd_ymm_ymm_ymmm256;
    SarEachD Two All, VEX_Vpsravd_xmm_xmm_xmmm128 VEX_Vpsravd_ymm_ymm_ymmm256;
    ShlEachQ Two All, VEX_Vpsllvq_xmm_xmm_xmmm128 VEX_Vpsllvq_ymm_ymm_ymmm256;
    ShrEachQ Two All, VEX_Vpsrlvq_xmm_xmm_xmmm128 VEX_Vpsrlvq_ymm_ymm_ymmm256;
    DwordsToPs One All, VEX_Vcvtdq2ps_xmm_xmmm128 VEX_Vcvtdq2ps_ymm_ymmm256;
    PsToDwords One All, VEX_Vcvttps2dq_xmm_xmmm128 VEX_Vcvttps2dq_ymm_ymmm256;
    PsToPd One Half, VEX_Vcvtps2pd_xmm_xmmm64 VEX_Vcvtps2pd_ymm_xmmm128;
    DwordsToPd One Half, VEX_Vcvtdq2pd_xmm_xmmm64 VEX_Vcvtdq2pd_ymm_xmmm128;
    SsToSd Single Only(4), VEX_Vcvtss2sd_xmm_xmm_xmmm32 INVALID;
    SdToSs Single Only(8), VEX_Vcvtsd2ss_xmm_xmm_xmmm64 INVALID;
    HalfToPs One Half, VEX_Vcvtph2ps_xmm_xmmm64 VEX_Vcvtph2ps_ymm_xmmm128;
    PsToHalf Turned All, VEX_Vcvtps2ph_xmmm64_xmm_imm8 VEX_Vcvtps2ph_xmmm128_ymm_imm8;
    SignedDq One Half, VEX_Vpmovsxdq_xmm_xmmm64 VEX_Vpmovsxdq_ymm_xmmm128;
    ZeroDq One Half, VEX_Vpmovzxdq_xmm_xmmm64 VEX_Vpmovzxdq_ymm_xmmm128;
    ZeroBd One Quarter, VEX_Vpmovzxbd_xmm_xmmm32 VEX_Vpmovzxbd_ymm_xmmm64;
    BroadcastD One Only(4), VEX_Vpbroadcastd_xmm_xmmm32 VEX_Vpbroadcastd_ymm_xmmm32;
    BroadcastQ One Only(8), VEX_Vpbroadcastq_xmm_xmmm64 VEX_Vpbroadcastq_ymm_xmmm64;
    ShuffleD OneLiteral All, VEX_Vpshufd_xmm_xmmm128_imm8 VEX_Vpshufd_ymm_ymmm256_imm8;
    ShufflePs TwoLiteral All, VEX_Vshufps_xmm_xmm_xmmm128_imm8 VEX_Vshufps_ymm_ymm_ymmm256_imm8;
    UnpackLowD Two All, VEX_Vpunpckldq_xmm_xmm_xmmm128 VEX_Vpunpckldq_ymm_ymm_ymmm256;
    UnpackHighD Two All, VEX_Vpunpckhdq_xmm_xmm_xmmm128 VEX_Vpunpckhdq_ymm_ymm_ymmm256;
    UnpackLowQ Two All, VEX_Vpunpcklqdq_xmm_xmm_xmmm128 VEX_Vpunpcklqdq_ymm_ymm_ymmm256;
    UnpackHighQ Two All, VEX_Vpunpckhqdq_xmm_xmm_xmmm128 VEX_Vpunpckhqdq_ymm_ymm_ymmm256;
    // Lanes of the second operand by the numbers in the first.
    PermuteD Two All, INVALID VEX_Vpermd_ymm_ymm_ymmm256;
    PermuteQ OneLiteral All, INVALID VEX_Vpermq_ymm_ymmm256_imm8;
    BlendD TwoLiteral All, VEX_Vpblendd_xmm_xmm_xmmm128_imm8 VEX_Vpblendd_ymm_ymm_ymmm256_imm8;
    // reject, accept, mask
    Blend Blend All, VEX_Vblendvps_xmm_xmm_xmmm128_xmm VEX_Vblendvps_ymm_ymm_ymmm256_ymm;
    BlendPd Blend All, VEX_Vblendvpd_xmm_xmm_xmmm128_xmm VEX_Vblendvpd_ymm_ymm_ymmm256_ymm;
    Join TwoLiteral Half, INVALID VEX_Vinserti128_ymm_ymm_xmmm128_imm8;
    // The upper half.
    Upper Turned All, INVALID VEX_Vextracti128_xmmm128_ymm_imm8;
    PdToPsX One All, VEX_Vcvtpd2ps_xmm_xmmm128 VEX_Vcvtpd2ps_xmm_ymmm256;
    PdToDwords One All, VEX_Vcvttpd2dq_xmm_xmmm128 VEX_Vcvttpd2dq_xmm_ymmm256;
    // With AVX-512 only. reject, accept, mask; then what is kept of one by a mask
    Choose Blend All, INVALID INVALID;
    ChoosePd Blend All, INVALID INVALID;
    Keep Keep All, INVALID INVALID;
    KeepPd Keep All, INVALID INVALID;
    // Comparisons whose results are masks.
    MaskCmpPs TwoLiteral All, INVALID INVALID;
    MaskCmpPd TwoLiteral All, INVALID INVALID;
    MaskCmpD TwoLiteral All, INVALID INVALID;
    MaskCmpUd TwoLiteral All, INVALID INVALID;
    MaskCmpQ TwoLiteral All, INVALID INVALID;
    MaskCmpUq TwoLiteral All, INVALID INVALID;
    // Whether bits that are set in both.
    MaskTestD Two All, INVALID INVALID;
    AbsQ One All, INVALID INVALID;
    RotateD Shift All, INVALID INVALID;
    SarQ Shift All, INVALID INVALID;
    SarByQ ShiftBy All, INVALID INVALID;
    SarEachQ Two All, INVALID INVALID;
    UdwordsToPs One All, INVALID INVALID;
    // The lower words of doubles, and the lowest bytes of words.
    LowD Narrow All, INVALID INVALID;
    LowB Narrow All, INVALID INVALID;
    // 128 bits of 512.
    Quarter Turned All, INVALID INVALID;
    // The lanes of a mask, side by side.
    CompressD Pack All, INVALID INVALID;
    CompressQ Pack All, INVALID INVALID;
}

impl V {
    /// Bytes of the operand that may stand in memory.
    pub(super) fn memory_bytes(self, bits: Bits) -> u32 {
        match self.reads() {
            All => bits.bytes(),
            Half => bits.bytes() / 2,
            Quarter => bits.bytes() / 4,
            Only(bytes) => bytes,
        }
    }

    /// Which operand may stand in memory.
    pub(super) fn in_memory(self) -> Option<usize> {
        match self.shape() {
            Shape::One | Shape::OneLiteral | Shape::Single | Shape::SingleLiteral | Shape::Keep => Some(0),
            Shape::Two | Shape::TwoLiteral | Shape::Blend => Some(1),
            Shape::Fused => Some(2),
            Shape::Shift | Shape::ShiftBy | Shape::Turned | Shape::Narrow | Shape::Pack => None,
        }
    }

    /// Whether its first two operands may change places.
    pub(super) fn commutes(self) -> bool {
        matches!(
            self,
            Self::AddPs
                | Self::AddPd
                | Self::AddSs
                | Self::AddSd
                | Self::MulPs
                | Self::MulPd
                | Self::MulSs
                | Self::MulSd
                | Self::And
                | Self::Or
                | Self::Xor
                | Self::AndPs
                | Self::XorPs
                | Self::AddD
                | Self::AddQ
                | Self::MulD
                | Self::MulUdq
                | Self::MulAddW
                | Self::MinSd32
                | Self::MinUd32
                | Self::MaxSd32
                | Self::MaxUd32
                | Self::EqualD
                | Self::EqualQ
        )
    }

    /// The same even where they are not known: of two that are no numbers, floats give the first.
    pub(super) fn swaps(self) -> bool {
        let floats = matches!(
            self,
            Self::AddPs
                | Self::AddPd
                | Self::AddSs
                | Self::AddSd
                | Self::MulPs
                | Self::MulPd
                | Self::MulSs
                | Self::MulSd
        );
        self.commutes() && !floats
    }

    /// Registers of the result and of its sources where those are of another size: (result, sources).
    pub(super) fn sizes(self, bits: Bits) -> (Bits, Bits) {
        let (half, quarter) = (Bits::of(bits.bytes() / 2), Bits::of(bits.bytes() / 4));
        match self {
            Self::PsToPd | Self::DwordsToPd | Self::SignedDq | Self::ZeroDq | Self::HalfToPs => (bits, half),
            Self::ZeroBd => (bits, quarter),
            Self::BroadcastD | Self::BroadcastQ => (bits, Bits::X),
            Self::PdToPsX | Self::PdToDwords | Self::PsToHalf | Self::Upper | Self::LowD => (half, bits),
            Self::LowB | Self::Quarter => (quarter, bits),
            _ => (bits, bits),
        }
    }

    /// The register of the operand that may stand in memory.
    pub(super) fn last(self, bits: Bits) -> Bits {
        match self {
            Self::Join => Bits::of(bits.bytes() / 2),
            _ => self.sizes(bits).1,
        }
    }

    /// Where its result stands.
    pub(super) fn class(self) -> Class {
        match self {
            Self::MaskCmpPs
            | Self::MaskCmpPd
            | Self::MaskCmpD
            | Self::MaskCmpUd
            | Self::MaskCmpQ
            | Self::MaskCmpUq
            | Self::MaskTestD => Class::Mask,
            _ => Class::Vector,
        }
    }
}

//! out b = u32[1, 70]
requires unrestricted_pointer_parameters, pointer_composite_access;
requires packed_4x8_integer_dot_product,;
diagnostic(off, derivative_uniformity);
requires /* ; */ readonly_and_readwrite_storage_textures // ;
    , immediate_address_space;
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    b[0] = 1;
    b[1] = dot4U8Packed(0x01020304u, 0x05060708u);
}

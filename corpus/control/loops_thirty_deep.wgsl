//! grid 2
//! in a = u32[1, 1]
//! out b = u32[(30, 31, 32, 33, 34, 35, 36, 37) x 2]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

// What a compiler expects of the work in so many loops is beyond 64 bits.
@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    var x = local;
    for (var i0 = 0u; i0 < a[0]; i0++) {
    for (var i1 = 0u; i1 < a[1]; i1++) {
    for (var i2 = 0u; i2 < a[0]; i2++) {
    for (var i3 = 0u; i3 < a[1]; i3++) {
    for (var i4 = 0u; i4 < a[0]; i4++) {
    for (var i5 = 0u; i5 < a[1]; i5++) {
    for (var i6 = 0u; i6 < a[0]; i6++) {
    for (var i7 = 0u; i7 < a[1]; i7++) {
    for (var i8 = 0u; i8 < a[0]; i8++) {
    for (var i9 = 0u; i9 < a[1]; i9++) {
    for (var i10 = 0u; i10 < a[0]; i10++) {
    for (var i11 = 0u; i11 < a[1]; i11++) {
    for (var i12 = 0u; i12 < a[0]; i12++) {
    for (var i13 = 0u; i13 < a[1]; i13++) {
    for (var i14 = 0u; i14 < a[0]; i14++) {
    for (var i15 = 0u; i15 < a[1]; i15++) {
    for (var i16 = 0u; i16 < a[0]; i16++) {
    for (var i17 = 0u; i17 < a[1]; i17++) {
    for (var i18 = 0u; i18 < a[0]; i18++) {
    for (var i19 = 0u; i19 < a[1]; i19++) {
    for (var i20 = 0u; i20 < a[0]; i20++) {
    for (var i21 = 0u; i21 < a[1]; i21++) {
    for (var i22 = 0u; i22 < a[0]; i22++) {
    for (var i23 = 0u; i23 < a[1]; i23++) {
    for (var i24 = 0u; i24 < a[0]; i24++) {
    for (var i25 = 0u; i25 < a[1]; i25++) {
    for (var i26 = 0u; i26 < a[0]; i26++) {
    for (var i27 = 0u; i27 < a[1]; i27++) {
    for (var i28 = 0u; i28 < a[0]; i28++) {
    for (var i29 = 0u; i29 < a[1]; i29++) {
    x += a[x % 2u] * 30u;
    if x > 40u { b[id.x] = x; }
    }}}}}}}}}}}}}}}}}}}}}}}}}}}}}}
    b[id.x] = x;
}

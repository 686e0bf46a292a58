//! Fields of binary files: numbers with the lowest byte first, checksums.

/// The bytes at `at`; zeros beyond the end.
fn field<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes.get(at..).and_then(<[u8]>::first_chunk).copied().unwrap_or([0; N])
}

pub fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(field(bytes, at))
}

pub fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(field(bytes, at))
}

pub fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(field(bytes, at))
}

/// CRC-32 of a file, with the checksum itself, four bytes at `at`, taken as zero.
pub fn checksum_of(bytes: &[u8], at: usize) -> u32 {
    let (head, tail) = bytes.split_at_checked(at).unwrap_or((bytes, &[]));
    let mut hasher = crc32fast::Hasher::new();
    [head, &[0; 4], tail.get(4..).unwrap_or_default()].iter().for_each(|part| hasher.update(part));
    hasher.finalize()
}

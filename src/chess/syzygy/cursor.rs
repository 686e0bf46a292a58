//! The bytes of a table, read with their bounds checked.

use crate::ensure;
/// The file is damaged, or not what its name claims.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Damaged;

/// Reads the file from front to back.
pub(super) struct Cursor<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

impl Cursor<'_> {
    pub fn u8(&mut self) -> Result<u8, Damaged> {
        let byte = *self.bytes.get(self.at).ok_or(Damaged)?;
        self.at += 1;
        Ok(byte)
    }

    pub fn u16(&mut self) -> Result<u16, Damaged> {
        Ok(u16::from_le_bytes([self.u8()?, self.u8()?]))
    }

    pub fn u32(&mut self) -> Result<u32, Damaged> {
        Ok(u32::from(self.u16()?) | u32::from(self.u16()?) << 16)
    }

    /// Passes over `count` things of `size` bytes; gives where they began.
    pub fn skip(&mut self, count: usize, size: usize) -> Result<usize, Damaged> {
        let start = self.at;
        let end = count.checked_mul(size).and_then(|n| n.checked_add(start)).ok_or(Damaged)?;
        ensure!(end <= self.bytes.len(), Damaged);
        self.at = end;
        Ok(start)
    }

    pub fn align(&mut self, to: usize) {
        self.at = self.at.next_multiple_of(to);
    }
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> Result<u16, Damaged> {
    Cursor { bytes, at }.u16()
}

/// Four bytes of a block, the first highest. Codes may be read a little beyond the last block.
pub(super) fn u32_big_endian(bytes: &[u8], at: usize) -> u32 {
    let byte = |i: usize| u32::from(bytes.get(at + i).copied().unwrap_or(0));
    byte(0) << 24 | byte(1) << 16 | byte(2) << 8 | byte(3)
}

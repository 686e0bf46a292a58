//! Why a file is not a net that can be used. The net in use stays.

crate::errors! {
    pub enum NetError {
        Not(what: &'static str) = "not {what}" | "不是 {what}",
        Version(found: u32, newest: u32) =
            "net file version {found} is not known here (newest: {newest})"
            | "不认识网络文件的第 {found} 版（最新：{newest}）",
        WrongGame(found: String, wanted: &'static str) =
            "a net for {found}, not for {wanted}" | "这是 {found} 的网络，不是 {wanted} 的",
        /// Too short or too long for its header.
        Length(found: usize, wanted: usize) =
            "{found} bytes, but the header asks for {wanted}" | "有 {found} 字节，而文件头要求 {wanted} 字节",
        /// In hexadecimal.
        Checksum(found: String, wanted: String) =
            "checksum is {found}, not {wanted}" | "校验和是 {found}，应为 {wanted}",
        /// The header names something that this version cannot compute.
        Unsupported(what: &'static str) = "unsupported {what}" | "不支持的 {what}",
        /// A number is too large for exact arithmetic.
        OutOfRange(what: &'static str) = "{what} out of range" | "{what} 超出范围",
    }
}

impl NetError {
    /// Checks the name of the game in a header, with zeros behind it.
    pub fn check_game(field: &[u8], wanted: &'static str) -> Result<(), Self> {
        let end = field.iter().position(|&b| b == 0).unwrap_or(field.len());
        let (name, padding) = field.split_at(end);
        let found = || String::from_utf8_lossy(name).escape_default().to_string();
        crate::ensure!(
            name == wanted.as_bytes() && padding.iter().all(|&b| b == 0),
            Self::WrongGame(found(), wanted)
        );
        Ok(())
    }

    pub fn checksum(found: u32, wanted: u32) -> Self {
        Self::Checksum(format!("{found:08x}"), format!("{wanted:08x}"))
    }
}

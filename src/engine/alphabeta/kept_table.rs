//! The table in a file: saved, and loaded by another process that goes on from it.

use super::{AlphaBeta, Position, Setup};
use crate::ensure;
use crate::game::{Game, Text};
use crate::message;
use crate::util::kept::{self, Header, Kept, KeptError};
use crate::util::lang::Bilingual;
use crate::util::message::Message;
use std::path::Path;

const KIND: &str = "table";

impl<S: Setup> AlphaBeta<S> {
    /// What a table that is saved now means.
    fn header(&self) -> Header {
        let (net, terms) = self.meaning();
        Header {
            kind: KIND.to_owned(),
            game: S::ID.name().to_owned(),
            terms,
            net,
            keys: fingerprint::<S>(),
            size: self.settings.hash_mib as u64,
            extra: u64::from(self.shared.generation()),
            length: self.shared.table.bytes(),
        }
    }

    fn hash_file(&self) -> Result<String, Message> {
        match self.settings.hash_file.as_str() {
            "" => Err(message!("Hash File names no file" | "Hash File 没有指定文件")),
            name => Ok(name.to_owned()),
        }
    }

    /// Saves the table.
    pub(super) fn save_table(&mut self) -> Result<(), Message> {
        let (name, mut entries) = (self.hash_file()?, 0);
        let table = &self.shared.table;
        kept::save(Path::new(&name), &self.header(), |out| {
            entries = table.copy_to(out)?;
            Ok(())
        })
        .map_err(|error| {
            let why = Message::from(error);
            message!("cannot save to '{name}': {why}" | "无法保存到“{name}”：{why}", name, why)
        })?;
        self.remarks.push(message!(
            "{entries} positions were saved to {name}" | "{entries} 个局面已保存到 {name}",
            entries,
            name
        ));
        Ok(())
    }

    /// Loads a table that was saved.
    pub(super) fn load_table(&mut self) -> Result<(), Message> {
        let name = self.hash_file()?;
        let entries = self
            .load(&name)
            .map_err(|why| message!("cannot load '{name}': {why}" | "无法载入“{name}”：{why}", name, why))?;
        self.remarks.push(message!(
            "{entries} positions were loaded from {name}" | "从 {name} 载入了 {entries} 个局面",
            entries,
            name
        ));
        Ok(())
    }

    /// The whole file is verified before anything of it is taken.
    fn load(&self, name: &str) -> Result<u64, Message> {
        let ours = self.header();
        let mut kept = Kept::open(Path::new(name))?;
        let theirs = kept.header().clone();
        theirs.check(&ours)?;
        ensure!(
            theirs.size == ours.size,
            "it is of a table of {size} MiB: set Hash to {size} first"
                | "它属于 {size} MiB 的置换表：请先把 Hash 设为 {size}",
            size = theirs.size
        );
        if theirs.length != ours.length {
            return Err(KeptError::Content(Bilingual(
                "its length is not that of its table",
                "长度与置换表不符",
            ))
            .into());
        }
        kept.verify()?;
        let table = &self.shared.table;
        let read = kept.read(|content| table.copy_from(content)).map_err(|error| {
            // It was whole a moment ago: another program is writing to it.
            self.clear_table();
            message!(
                "{error}; it has changed while it was read, and the table is empty now"
                    | "{error}；读取时文件有变化，置换表现已清空",
                error
            )
        })?;
        self.shared.set_generation(theirs.extra as u8);
        Ok(read)
    }

    /// Remarks that the table stays, where a client wants it cleared.
    pub(super) fn remark_kept(&mut self) {
        if self.settings.keeps_hash {
            self.remarks.push(message!(
                "the table is kept: Never Clear Hash is set" | "置换表保留：已设置 Never Clear Hash"
            ));
        }
    }
}

/// That of the benchmark's positions.
fn fingerprint<S: Setup>() -> u64 {
    kept::fingerprint(
        S::BENCH.iter().filter_map(|fen| Position::<S>::from_fen(fen).ok()).map(|pos| pos.key()),
    )
}

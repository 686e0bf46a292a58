//! How probable a text is in an encoding, by what people write in it.

use super::MALFORMED;
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, IBM866, ISO_8859_2, ISO_8859_5, ISO_8859_7, KOI8_R, KOI8_U,
    SHIFT_JIS, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253,
};

/// What a file may be in, with the bits that it must be better by than Latin-1, which loses no byte.
pub const CANDIDATES: &[(&Encoding, usize)] = &[
    (WINDOWS_1252, 0),
    (GB18030, 0),
    (BIG5, 3),
    (SHIFT_JIS, 3),
    (EUC_KR, 4),
    (WINDOWS_1250, 3),
    (WINDOWS_1251, 3),
    (WINDOWS_1253, 5),
];

/// Cost of a character for private use, and of a control character beyond ASCII.
const UNUSED: usize = 30;
/// Cost of a sign that few texts have.
const RARE_SIGN: usize = 14;
/// Cost of signs that many texts have.
const SIGN: usize = 8;
const SIGNS: &str = "«»“”„‘’–—…°§©½¿¡№•·\u{a0}";
/// Cost of a letter of the alphabet beside a character that is none.
const GLUED: usize = 4;
/// Cost of a capital behind a small letter.
const MIXED_CASE: usize = 12;
/// Cost of an accented letter behind another.
const ACCENTS: usize = 3;
/// Cost of a second accent in a Greek word, which has one.
const SECOND_ACCENT: usize = 10;
/// Cost of a capital of another alphabet behind another.
const CAPITALS: usize = 2;

pub(super) enum Model {
    /// Characters of two bytes.
    Wide(Wide),
    /// Latin letters with those of a language. Each word is of one.
    Accented(&'static [&'static str]),
    /// Words of letters that are not Latin, and the most frequent of these.
    Alphabet(&'static str),
}

/// Characters of two bytes, by their place in a standard that orders them by use.
pub struct Wide {
    reference: &'static Encoding,
    /// Leading bytes from and to, the least second byte, and the cost.
    ranges: &'static [(u8, u8, u8, usize)],
    /// Characters that make up most of a text, and their cost.
    frequent: (&'static [&'static str], usize),
}

const SIMPLIFIED: &str = "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方\
    后多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前\
    外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公无系军很情者最\
    立代想已通并提直题党程展五果料象员革位入常文总次品式活设及管特件长求老头基资边流路级少图山统接知较将组见计别她手角期根论运农\
    指几九区强放决西被干做必战先回则任取据处队南给色光门即保治北造百规热领七海口东导器压志世金增争济阶油思术极交受联什认六共权收\
    证改清己美再采转更单风切打白教速花带安场身车例真务具万每目至达走积示议声报斗完类八离华名确才科张信马节话米整空元况今集温传土\
    许步群广石记需段研界拉林律叫且究观越织装影算低持音众书布复容儿须际商非验连断深难近矿千周委素技备半办青省列习响约支般史感劳便\
    团往酸历市克何除消构府称太准精值号率族维划选标写存候毛亲快效斯院查江型眼王按格养易置派层片始却专状育厂京识适属圆包火住调满县\
    局照参红细引听该铁价严李柯洁胡荣吕钦银川聂卫春常昊古罗睿孟陈赵徐刘杨黄吴郑谢孙棋黑负胜炮兵卒仕帅杯赛";
const TRADITIONAL: &str = "這為個國時來們於對會發動種說產後學經進著電裡過與關實兩體機當點從業應開還無條結問題義間樣內數氣變總設長邊統\
    較將見計運農幾區強戰則據處隊給門導壓爭濟階術極聯認權證轉單風帶場車務萬達積議聲報鬥類離華張馬節話傳許廣記觀織裝眾書復兒須際\
    驗連斷難辦習響約團歷號構稱準維劃選標寫親廠識適屬調滿縣參紅細聽鐵價嚴林陳黃吳劉許蔡鄭謝賴郭楊趙孫周俊勳衛黑勝負棋賽砲傌俥帥功蓋阿成";
const JAPANESE: &str = "本因坊名人戦棋聖王座天元碁十段井山裕太黒白番勝負目持時間日月年第局東京大小林光一武宮正樹趙治勲依田紀基加\
    藤剱夫石芳坂栄男高川格呉清源木谷実橋昌結城聡張栩羽根直尾紳路下敬吾河野臨対中押半表秀策先手後二三四五六七八九丈和策定石変化図見合";
const HANGUL: &str = "이다의는가에을은지한고하로사기서를어도나리자시인그대아정수일해스있전만라부보장주제여과원구상면위성공조신동마미\
    경오관선우비계국세유개방용들적연소무내생화안간바물야때단실문양거분중반현재말발속심치행점백흑승패집불결김박최강윤임송권황홍류허남노배\
    창혁훈돌진영석민준호철규욱태목귀변축패착당함되될된할했습니까요";

const CHINESE: Wide = Wide {
    reference: GB18030,
    // Signs, kana, and the two levels of GB 2312; behind them what GBK adds.
    ranges: &[
        (0xA1, 0xA3, 0xA1, 10),
        (0xA4, 0xA5, 0xA1, 14),
        (0xB0, 0xD7, 0xA1, 14),
        (0xD8, 0xF7, 0xA1, 17),
        (0x81, 0xFE, 0x40, 20),
    ],
    frequent: (&[SIMPLIFIED], 9),
};
const TAIWANESE: Wide = Wide {
    reference: BIG5,
    ranges: &[(0xA1, 0xA3, 0x40, 10), (0xA4, 0xC6, 0x40, 14), (0xC9, 0xF9, 0x40, 18), (0x81, 0xFE, 0x40, 25)],
    frequent: (&[SIMPLIFIED, TRADITIONAL], 9),
};
const OF_JAPAN: Wide = Wide {
    reference: SHIFT_JIS,
    // Signs, full-width letters, hiragana, katakana, and the two levels of JIS X 0208.
    ranges: &[
        (0x81, 0x81, 0x40, 10),
        (0x82, 0x82, 0x9F, 8),
        (0x82, 0x82, 0x4F, 10),
        (0x83, 0x83, 0x9F, 16),
        (0x83, 0x83, 0x40, 9),
        (0x88, 0x97, 0x40, 13),
        (0x98, 0x9F, 0x40, 18),
        (0xE0, 0xEA, 0x40, 18),
        (0x81, 0xFC, 0x40, 25),
    ],
    frequent: (&[JAPANESE], 9),
};
const KOREAN: Wide = Wide {
    reference: EUC_KR,
    // Signs, syllables, hanja; behind them what code page 949 adds.
    ranges: &[(0xA1, 0xA3, 0xA1, 11), (0xB0, 0xC8, 0xA1, 13), (0xCA, 0xFD, 0xA1, 17), (0x81, 0xFE, 0x41, 20)],
    frequent: (&[HANGUL], 8),
};

/// German, French, Spanish, Portuguese, Nordic, Italian, Icelandic, Estonian.
const WESTERN: &[&str] =
    &["äöüß", "éèêëàâçùûüîïôœ", "áéíóúüñ", "ãõáéíóúâêôàçü", "åäöøæé", "àèéìòù", "áéíóúýðþæö", "äöõüšž"];
/// German, Czech, Slovak, Polish, Hungarian, Romanian, Croatian.
const CENTRAL: &[&str] =
    &["äöüß", "áéíóúýčďěňřšťůž", "áäéíóôúýčďĺľňŕšťž", "ąćęłńóśźż", "áéíóöőúüű", "ăâîşţ", "čćđšž"];

impl Model {
    pub fn of(encoding: &'static Encoding) -> Self {
        match encoding {
            e if e == GB18030 || e == GBK => Self::Wide(CHINESE),
            e if e == BIG5 => Self::Wide(TAIWANESE),
            e if e == SHIFT_JIS || e == EUC_JP => Self::Wide(OF_JAPAN),
            e if e == EUC_KR => Self::Wide(KOREAN),
            e if [WINDOWS_1251, KOI8_R, KOI8_U, ISO_8859_5, IBM866].contains(&e) => {
                Self::Alphabet("оеаинтсрвл")
            }
            e if e == WINDOWS_1253 || e == ISO_8859_7 => Self::Alphabet("αοιετσνηυρπςκ"),
            e if e == WINDOWS_1250 || e == ISO_8859_2 => Self::Accented(CENTRAL),
            _ => Self::Accented(WESTERN),
        }
    }

    pub fn is_wide(&self) -> bool {
        matches!(self, Self::Wide(_))
    }

    /// Cost of a text: that of its characters beyond ASCII.
    pub fn cost(&self, text: &str) -> usize {
        if let Self::Wide(wide) = self {
            return wide.cost(text);
        }
        let is_letter = |c: char| c.is_alphabetic();
        let words = text.split(|c| !is_letter(c)).filter(|word| !word.is_ascii());
        let signs = text.chars().filter(|c| !c.is_ascii() && !is_letter(*c)).map(|c| match c {
            '\u{fffd}' => MALFORMED,
            '\u{80}'..='\u{9f}' | '\u{e000}'..='\u{f8ff}' => UNUSED,
            _ if SIGNS.contains(c) => SIGN,
            _ => RARE_SIGN,
        });
        words.map(|word| self.cost_of_word(word)).chain(signs).fold(0, usize::saturating_add)
    }

    fn cost_of_word(&self, word: &str) -> usize {
        let small = |c: char| c.to_lowercase().next().unwrap_or(c);
        let accented = || word.chars().filter(|c| !c.is_ascii());
        let sum = |cost: &dyn Fn(char) -> usize| accented().map(cost).fold(0, usize::saturating_add);
        let pairs = || word.chars().zip(word.chars().skip(1));
        let case = pairs().filter(|(a, b)| a.is_lowercase() && b.is_uppercase() && !b.is_ascii()).count();
        let letters = match self {
            Self::Accented(languages) => {
                let of = |language: &&str| sum(&|c| if language.contains(small(c)) { 5 } else { 11 });
                let runs = pairs().filter(|(a, b)| !a.is_ascii() && !b.is_ascii()).count();
                languages.iter().map(of).min().unwrap_or(0).saturating_add(runs.saturating_mul(ACCENTS))
            }
            Self::Alphabet(frequent) => {
                let latin = word.chars().filter(char::is_ascii).count();
                let own = sum(&|c| if frequent.contains(small(c)) { 4 } else { 7 });
                let capitals = pairs().filter(|(a, b)| a.is_uppercase() && b.is_uppercase()).count();
                let accents = word.chars().filter(|c| "άέήίόύώΐΰ".contains(*c)).count().saturating_sub(1);
                let more = accents.saturating_mul(SECOND_ACCENT);
                [own, latin.saturating_mul(GLUED), capitals.saturating_mul(CAPITALS), more]
                    .into_iter()
                    .fold(0, usize::saturating_add)
            }
            Self::Wide(_) => 0,
        };
        letters.saturating_add(case.saturating_mul(MIXED_CASE))
    }
}

impl Wide {
    fn cost(&self, text: &str) -> usize {
        let mut cost = 0_usize;
        let mut before = ' ';
        for c in text.chars() {
            if !c.is_ascii() {
                cost = cost.saturating_add(self.cost_of(c));
            }
            let is_glued = |a: char, b: char| a.is_ascii_alphabetic() && !b.is_ascii() && b.is_alphabetic();
            if is_glued(before, c) || is_glued(c, before) {
                cost = cost.saturating_add(GLUED);
            }
            before = c;
        }
        cost
    }

    fn cost_of(&self, c: char) -> usize {
        match c {
            '\u{fffd}' => return MALFORMED,
            '\u{80}'..='\u{9f}' | '\u{e000}'..='\u{f8ff}' => return UNUSED,
            _ => {}
        }
        let mut text = [0; 4];
        let (bytes, _, _) = self.reference.encode(c.encode_utf8(&mut text));
        let &[lead, second] = &*bytes else {
            // Half-width kana, and characters of four bytes.
            return if bytes.len() == 1 { 13 } else { UNUSED };
        };
        let range =
            self.ranges.iter().find(|(from, to, least, _)| (*from..=*to).contains(&lead) && second >= *least);
        let cost = range.map_or(UNUSED, |(.., cost)| *cost);
        let (lists, usual) = self.frequent;
        if cost < 15 && lists.iter().any(|list| list.contains(c)) { usual.min(cost) } else { cost }
    }
}

//! A small hash that tells two settings documents apart.
//!
//! Two runs of FNV-1a with different starting values, 128 bits together: enough against mix-ups. Nothing is protected by
//! it against an adversary, who could hand in any settings anyway.

/// A running hash of texts.
pub(crate) struct Digest {
    one: u64,
    two: u64,
}

impl Digest {
    const PRIME: u64 = 0x0000_0100_0000_01b3;

    /// The hash of nothing.
    pub(crate) fn new() -> Digest {
        Digest {
            one: 0xcbf2_9ce4_8422_2325,
            two: 0x6c62_272e_07bb_0142,
        }
    }

    /// Adds a text and its end, so that `ab`, `c` and `a`, `bc` differ.
    pub(crate) fn add(&mut self, text: &str) {
        // 0xff stands in no UTF-8 text.
        for byte in text.bytes().chain([0xff]) {
            self.one = (self.one ^ u64::from(byte)).wrapping_mul(Digest::PRIME);
            self.two = (self.two ^ u64::from(byte))
                .wrapping_mul(Digest::PRIME)
                .rotate_left(5);
        }
    }

    /// The hash as 32 hexadecimal digits.
    pub(crate) fn finish(&self) -> String {
        let mut text = String::with_capacity(32);
        for half in [self.one, self.two] {
            for byte in half.to_be_bytes() {
                for nibble in [byte >> 4, byte & 0xf] {
                    text.push(char::from_digit(u32::from(nibble), 16).unwrap_or('0'));
                }
            }
        }
        text
    }
}

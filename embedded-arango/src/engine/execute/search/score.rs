//! `BM25()` and `TFIDF()`: how well a document fits what was searched, by the terms that were found in it.
//!
//! | | a term counts |
//! |---|---|
//! | inverse document frequency of `BM25` | `ln(1 + (N - n + 0.5) / (n + 0.5))` |
//! | of `TFIDF` | `ln((N + 1) / (n + 1)) + 1` |
//! | `BM25(k, b)` | `idf * (k + 1) * f / (f + k * (1 - b + b * length / average))` |
//! | `TFIDF(normalize)` | `idf * sqrt(f)`, normalized divided by `sqrt(length)` |
//!
//! `N` is the number of documents that have the field, `n` of those with the term in it, over all collections of the view; `f` is
//! how often the term is in the document's field. What matched of a condition is added up. Without the analyzer's feature
//! `frequency` there is no score, without `norm` every length is 1. Computed with 32 bits, as the server does.

/// A way to score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scorer {
    /// With the constants `k` and `b`.
    Bm25(f32, f32),
    /// Whether lengths count.
    Tfidf(bool),
}

/// What is known of a term, or of several that count as one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    pub(super) docs_with_field: u64,
    pub(super) docs_with_term: u64,
    /// The tokens of the field in all documents.
    pub(super) tokens: u64,
}

/// What one match counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weight {
    scorer: Scorer,
    idf: f32,
    average: f32,
}

impl Scorer {
    /// The weight of a term, or of several that count together.
    pub(super) fn weight(self, terms: &[Known]) -> Weight {
        let idf = terms.iter().map(|known| self.idf(known)).sum();
        let average = match terms.first() {
            Some(known) if known.tokens > 0 && known.docs_with_field > 0 => {
                known.tokens as f32 / known.docs_with_field as f32
            }
            _ => 1.0,
        };
        Weight {
            scorer: self,
            idf,
            average,
        }
    }

    fn idf(self, known: &Known) -> f32 {
        let (all, with) = (known.docs_with_field as f64, known.docs_with_term as f64);
        match self {
            Scorer::Bm25(..) => ((all - with + 0.5) / (with + 0.5)).ln_1p() as f32,
            Scorer::Tfidf(_) => (((all + 1.0) / (with + 1.0)).ln() + 1.0) as f32,
        }
    }
}

impl Weight {
    /// The score of a term that is so often in a field of this length.
    pub(super) fn score(&self, frequency: u32, length: u32, boost: f32) -> f32 {
        let frequency = frequency as f32;
        match self.scorer {
            Scorer::Bm25(k, b) => {
                let all = boost * (k + 1.0) * self.idf;
                if b == 0.0 {
                    return all - all / (1.0 + frequency / k);
                }
                let scale = k - k * b + k * b / self.average * length as f32;
                all - all / (1.0 + frequency / scale)
            }
            Scorer::Tfidf(false) => boost * self.idf * frequency.sqrt(),
            Scorer::Tfidf(true) => boost * self.idf * frequency.sqrt() / (length as f32).sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Known, Scorer};

    const KNOWN: Known = Known {
        docs_with_field: 4,
        docs_with_term: 1,
        tokens: 20,
    };

    fn near(left: f32, right: f64) {
        assert!((f64::from(left) - right).abs() < 1e-5, "{left} {right}");
    }

    #[test]
    fn bm25_follows_its_formula() {
        let weight = Scorer::Bm25(1.2, 0.75).weight(&[KNOWN]);
        let idf = (1.0 + 3.5 / 1.5_f64).ln();
        near(
            weight.score(2, 10, 1.0),
            idf * 2.2 * 2.0 / (2.0 + 1.2 * (0.25 + 0.75 * 10.0 / 5.0)),
        );
        let flat = Scorer::Bm25(1.2, 0.0).weight(&[KNOWN]);
        near(flat.score(2, 10, 3.0), 3.0 * idf * 2.2 * 2.0 / (2.0 + 1.2));
    }

    #[test]
    fn tfidf_follows_its_formula() {
        let weight = Scorer::Tfidf(false).weight(&[KNOWN, KNOWN]);
        let idf = 2.0 * ((5.0 / 2.0_f64).ln() + 1.0);
        near(weight.score(4, 9, 1.0), idf * 2.0);
        near(
            Scorer::Tfidf(true).weight(&[KNOWN]).score(4, 9, 1.0),
            idf / 2.0 * 2.0 / 3.0,
        );
    }
}

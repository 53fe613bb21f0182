//! What a model costs: prices for a million tokens, and the sums that follow from them.

use serde::Deserialize;

/// Tokens that one price is for.
const TOKENS_PER_PRICE: f64 = 1_000_000.0;

/// Prices of a model for a million tokens, in any currency; sums are in the same.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Written")]
pub struct Prices {
    /// For a million tokens of prompts.
    pub input: f64,
    /// For a million tokens of replies.
    pub output: f64,
}

/// As it stands in the configuration, not yet checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    input: f64,
    output: f64,
}

impl TryFrom<Written> for Prices {
    type Error = String;

    fn try_from(Written { input, output }: Written) -> Result<Self, String> {
        if [input, output]
            .iter()
            .all(|price| price.is_finite() && *price >= 0.0)
        {
            Ok(Self { input, output })
        } else {
            Err("a price is a number from 0 on, for a million tokens".to_owned())
        }
    }
}

impl Prices {
    /// What so many tokens cost.
    #[must_use]
    pub fn cost(&self, input_tokens: u64, output_tokens: u64) -> f64 {
        (input_tokens as f64 * self.input + output_tokens as f64 * self.output) / TOKENS_PER_PRICE
    }
}

/// Money in the currency of the prices: two places, or as many as the first two digits of less need.
#[must_use]
pub fn money(amount: f64) -> String {
    if amount == 0.0 || amount >= 0.1 {
        return format!("{amount:.2}");
    }
    let places = (-amount.abs().log10()).ceil().clamp(1.0, 10.0) as usize + 1;
    format!("{amount:.places$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cost_is_tokens_times_price_by_the_million() {
        let prices = Prices {
            input: 0.4,
            output: 1.6,
        };
        assert_eq!(prices.cost(0, 0), 0.0);
        assert_eq!(prices.cost(1_000_000, 1_000_000), 2.0);
        assert!((prices.cost(812, 40) - 0.000_388_8).abs() < 1e-12);
    }

    #[test]
    fn small_amounts_keep_two_digits() {
        assert_eq!(
            [0.0, 12.3456, 0.1, 0.0123, 0.000_388_8].map(money),
            ["0.00", "12.35", "0.10", "0.012", "0.00039"]
        );
    }

    #[test]
    fn a_price_below_zero_or_without_its_counterpart_is_refused() {
        let refused = |text| {
            serde_json::from_str::<Prices>(text)
                .unwrap_err()
                .to_string()
        };
        assert!(refused(r#"{"input": -1, "output": 1}"#).contains("a number from 0 on"));
        assert!(refused(r#"{"input": 1}"#).contains("output"));
        assert!(refused(r#"{"input": 1, "output": 1, "cached": 1}"#).contains("cached"));
    }
}

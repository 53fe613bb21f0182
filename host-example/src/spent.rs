//! What a model was asked, and what that cost.

use std::fmt;

use crate::llm::{Prices, money};
use crate::types::Usage;

/// Requests to a model, their tokens, and their cost: of one answer, or of all that a tenant has asked.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// Requests that were sent to the model.
    pub model_calls: u64,
    /// Tokens of the prompts, as the provider counts them; 0 where it does not.
    pub input_tokens: u64,
    /// Tokens of the replies, as the provider counts them; 0 where it does not.
    pub output_tokens: u64,
    /// What they cost, where the model has prices.
    pub cost: Option<f64>,
}

impl Spent {
    /// So many requests and tokens, at these prices.
    #[must_use]
    pub fn new(
        model_calls: u64,
        input_tokens: u64,
        output_tokens: u64,
        prices: Option<Prices>,
    ) -> Self {
        Self {
            model_calls,
            input_tokens,
            output_tokens,
            cost: prices.map(|prices| prices.cost(input_tokens, output_tokens)),
        }
    }

    /// What one call used.
    #[must_use]
    pub fn of(usage: &Usage, prices: Option<Prices>) -> Self {
        Self::new(
            usage.llm_calls.into(),
            usage.input_tokens.into(),
            usage.output_tokens.into(),
            prices,
        )
    }

    /// Whether the provider counted any token.
    #[must_use]
    pub fn has_tokens(&self) -> bool {
        self.input_tokens > 0 || self.output_tokens > 0
    }
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            model_calls,
            input_tokens,
            output_tokens,
            cost,
        } = self;
        let requests = if *model_calls == 1 {
            "request"
        } else {
            "requests"
        };
        write!(
            f,
            "{model_calls} model {requests}, {input_tokens} tokens in, {output_tokens} out"
        )?;
        match cost {
            Some(cost) => write!(f, ", cost {}", money(*cost)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_reads_as_a_line_with_a_cost_where_there_are_prices() {
        let prices = Prices {
            input: 0.4,
            output: 1.6,
        };
        assert_eq!(
            Spent::new(1, 812, 40, Some(prices)).to_string(),
            "1 model request, 812 tokens in, 40 out, cost 0.00039"
        );
        assert_eq!(
            Spent::new(2, 812, 40, None).to_string(),
            "2 model requests, 812 tokens in, 40 out"
        );
    }
}

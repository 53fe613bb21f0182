//! A question becomes a query: the prompt, the model's reply, and the loop that repairs it.

mod reply;

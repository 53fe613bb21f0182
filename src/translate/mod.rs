//! translate

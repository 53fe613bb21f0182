//! arango

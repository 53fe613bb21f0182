//! Memory, tables and instances of one store. Growth beyond a limit fails in the guest, and one log line says so.

use wasmtime::ResourceLimiter;

/// Elements of all tables of a guest; a component of some hundred kilobytes has a few hundred functions in its table.
const TABLE_ELEMENTS: usize = 20_000;

/// Answers wasmtime's questions whether a guest may grow.
#[derive(Debug)]
pub(crate) struct MemoryLimiter {
    tenant: std::sync::Arc<str>,
    memory_bytes: usize,
    high_water: usize,
    refused: bool,
}

impl MemoryLimiter {
    pub(crate) fn new(tenant: std::sync::Arc<str>, memory_bytes: usize) -> Self {
        Self {
            tenant,
            memory_bytes,
            high_water: 0,
            refused: false,
        }
    }

    /// Whether the guest asked for more memory than it may have. A guest without memory stops soon after.
    pub(crate) fn refused(&self) -> bool {
        self.refused
    }

    /// The most memory that the guest had, in bytes.
    pub(crate) fn high_water(&self) -> usize {
        self.high_water
    }
}

impl ResourceLimiter for MemoryLimiter {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        if desired > self.memory_bytes {
            self.refused = true;
            tracing::warn!(
                tenant = %self.tenant, current, desired, allowed = self.memory_bytes,
                "a component asked for more memory than its tenant has"
            );
            return Ok(false);
        }
        self.high_water = self.high_water.max(desired);
        Ok(true)
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let allowed = desired <= TABLE_ELEMENTS;
        if !allowed {
            self.refused = true;
            tracing::warn!(tenant = %self.tenant, current, desired, allowed = TABLE_ELEMENTS, "a component asked for a larger table than is allowed");
        }
        Ok(allowed)
    }

    fn instances(&self) -> usize {
        8
    }

    fn tables(&self) -> usize {
        8
    }

    fn memories(&self) -> usize {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_up_to_the_limit_is_allowed_and_one_page_more_is_not() {
        let mut limiter = MemoryLimiter::new("acme".into(), 1 << 20);
        assert!(limiter.memory_growing(0, 1 << 20, None).unwrap());
        assert!(!limiter.refused());
        assert!(
            !limiter
                .memory_growing(1 << 20, (1 << 20) + 65_536, None)
                .unwrap()
        );
        assert!(limiter.refused());
        assert_eq!(limiter.high_water(), 1 << 20);
    }

    #[test]
    fn a_table_beyond_the_limit_is_refused() {
        let mut limiter = MemoryLimiter::new("acme".into(), 1 << 20);
        assert!(limiter.table_growing(0, TABLE_ELEMENTS, None).unwrap());
        assert!(
            !limiter
                .table_growing(TABLE_ELEMENTS, TABLE_ELEMENTS + 1, None)
                .unwrap()
        );
    }
}

//! The engine: one function that configures wasmtime, and the clock that makes long guests yield.
//!
//! Every engine of this host comes from [`engine`], so that a component is compiled, tested and run under the same settings. Its
//! defaults refuse: no threads, no 64-bit memories, no component-model async, no memory beyond [`EngineOptions::memory_bytes`].

use std::time::Duration;

use wasmtime::{Config, Engine, EngineWeak, InstanceAllocationStrategy, PoolingAllocationConfig};

/// How often a running guest is asked to yield. Ten milliseconds keep a looping guest from holding a worker thread, and cost
/// nothing that can be measured against a call to a database.
pub(crate) const EPOCH_TICK: Duration = Duration::from_millis(10);

/// Core instances of one component: the module itself, and the two small ones that the linker adds around lowered imports.
const CORE_INSTANCES: u32 = 4;

/// What an engine is sized for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineOptions {
    /// The most linear memory that one instance may have, in bytes.
    pub memory_bytes: usize,
    /// How many instances may live at the same time.
    pub instances: u32,
}

impl Default for EngineOptions {
    /// 128 MiB and 64 instances.
    fn default() -> Self {
        Self {
            memory_bytes: 128 << 20,
            instances: 64,
        }
    }
}

/// Makes the engine, and starts its epoch clock, a thread that ends with the last clone of the engine.
///
/// Instances come from a pool; where the address space for one cannot be had (a small container, a limit on virtual memory), each
/// is allocated on its own, and a warning says so.
///
/// # Errors
///
/// Where wasmtime refuses the configuration on this machine, or no thread can be started.
pub fn engine(options: EngineOptions) -> wasmtime::Result<Engine> {
    let pooled = Engine::new(
        base_config().allocation_strategy(InstanceAllocationStrategy::Pooling(pool(options))),
    );
    let engine = match pooled {
        Ok(engine) => engine,
        Err(error) => {
            tracing::warn!(%error, "no pool of instances on this machine, each instance is allocated on its own");
            Engine::new(base_config().allocation_strategy(InstanceAllocationStrategy::OnDemand))?
        }
    };
    start_epoch_clock(&engine)?;
    Ok(engine)
}

fn base_config() -> Config {
    let mut config = Config::new();
    config
        .wasm_component_model(true)
        .epoch_interruption(true)
        // Guests use the synchronous ABI: the machinery for async ones is switched off, which makes calls cheaper.
        .concurrency_support(false)
        .wasm_memory64(false)
        .wasm_multi_memory(false)
        .wasm_relaxed_simd(false)
        .parallel_compilation(true);
    config
}

fn pool(options: EngineOptions) -> PoolingAllocationConfig {
    let instances = options.instances.max(1);
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(instances)
        .total_core_instances(instances.saturating_mul(CORE_INSTANCES))
        .total_memories(instances)
        .total_tables(instances.saturating_mul(CORE_INSTANCES))
        .total_stacks(instances)
        .max_core_instances_per_component(CORE_INSTANCES)
        .max_memories_per_component(1)
        .max_tables_per_component(CORE_INSTANCES)
        .max_memory_size(options.memory_bytes);
    pool
}

/// Advances the epoch for as long as someone else holds the engine.
fn start_epoch_clock(engine: &Engine) -> wasmtime::Result<()> {
    let weak: EngineWeak = engine.weak();
    std::thread::Builder::new()
        .name("querent-epoch".to_owned())
        .spawn(move || {
            while let Some(engine) = weak.upgrade() {
                engine.increment_epoch();
                drop(engine);
                std::thread::sleep(EPOCH_TICK);
            }
        })?;
    Ok(())
}

//! Serves an empty in-memory ArangoDB on the given address, until it is interrupted.
//!
//! `cargo run -p embedded-arango --example serve -- 127.0.0.1:8529`

use embedded_arango::EmbeddedArango;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let address = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "127.0.0.1:0".to_owned());
    let running = EmbeddedArango::builder().listen(&address).start().await?;
    println!("{}", running.url());
    running.wait().await
}

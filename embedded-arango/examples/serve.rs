//! Serves an in-memory ArangoDB on an address, with the demonstration data, none, or those of a file, until it is interrupted.
//!
//! `cargo run -p embedded-arango --example serve -- 127.0.0.1:8529 [demo|empty|FILE]`

use embedded_arango::EmbeddedArango;
use embedded_arango::data::Source;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:0".to_owned());
    let source = Source::parse(&arguments.next().unwrap_or_else(|| "empty".to_owned()));
    let data = source.read().map_err(std::io::Error::other)?;
    let running = EmbeddedArango::builder()
        .listen(&address)
        .data(data.fill("_system"))
        .start()
        .await?;
    println!("{}", running.url());
    running.wait().await
}

//! A server on loopback that answers each connection with given bytes, and keeps what it was sent.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

pub struct Server {
    pub address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Answers the connections in turn; after the last answer it says no more.
    pub fn answering(answers: impl IntoIterator<Item = impl Into<Vec<u8>>>) -> Self {
        let answers: Vec<Vec<u8>> = answers.into_iter().map(Into::into).collect();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let requests: Arc<Mutex<Vec<String>>> = Arc::default();
        let kept = requests.clone();
        std::thread::spawn(move || {
            for answer in answers {
                let Ok((mut stream, _)) = listener.accept() else {
                    return;
                };
                let request = read_request(&mut stream);
                kept.lock().expect("not poisoned").push(request);
                let _ = stream.write_all(&answer);
                let _ = stream.shutdown(std::net::Shutdown::Write);
            }
        });
        Self { address, requests }
    }

    /// Says this to whoever connects, without listening.
    pub fn speaking_first(words: &'static [u8]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        std::thread::spawn(move || {
            while let Ok((mut stream, _)) = listener.accept() {
                let _ = stream.write_all(words);
                let _ = stream.read(&mut [0; 4_096]);
            }
        });
        Self {
            address,
            requests: Arc::default(),
        }
    }

    /// Takes connections and says nothing.
    pub fn silent() -> (TcpListener, String) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        (listener, url)
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("not poisoned").clone()
    }
}

/// A whole answer with a body of JSON.
pub fn json(status: &str, body: &str) -> Vec<u8> {
    with_headers(status, "content-type: application/json\r\n", body)
}

/// A whole answer with headers of one's own.
pub fn with_headers(status: &str, headers: &str, body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 {status}\r\nconnection: close\r\n{headers}content-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// The head, and as much of the body as it announces.
fn read_request(stream: &mut TcpStream) -> String {
    let mut request = Vec::new();
    let mut chunk = [0; 4_096];
    loop {
        match stream.read(&mut chunk) {
            Ok(0) | Err(_) => break,
            Ok(count) => request.extend_from_slice(&chunk[..count]),
        }
        let text = String::from_utf8_lossy(&request);
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let length = head.lines().find_map(|line| {
            line.to_lowercase()
                .strip_prefix("content-length: ")
                .map(str::to_owned)
        });
        if body.len() >= length.and_then(|length| length.parse().ok()).unwrap_or(0) {
            break;
        }
    }
    String::from_utf8_lossy(&request).into_owned()
}

//! Connections that a fault can end: axum answers every request, so dropping one takes a switch below it.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// How long to wait after a connection could not be accepted, for instance because there are too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Ends a connection: nothing is written to it any more.
#[derive(Clone, Debug, Default)]
pub(crate) struct KillSwitch(Arc<AtomicBool>);

impl KillSwitch {
    /// Ends the connection before the next byte of an answer.
    pub(crate) fn pull(&self) {
        self.0.store(true, Ordering::Release);
    }
}

/// The listening socket.
pub(crate) struct Connections(pub(crate) TcpListener);

impl Listener for Connections {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            match self.0.accept().await {
                Ok((stream, address)) => {
                    // Small answers should not wait for more to come; a failure to say so only costs time.
                    let _ = stream.set_nodelay(true);
                    return (
                        Connection {
                            stream,
                            switch: KillSwitch::default(),
                        },
                        address,
                    );
                }
                Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.local_addr()
    }
}

/// One connection with its switch.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: TcpStream,
    switch: KillSwitch,
}

impl Connected<IncomingStream<'_, Connections>> for KillSwitch {
    fn connect_info(stream: IncomingStream<'_, Connections>) -> Self {
        stream.io().switch.clone()
    }
}

impl Connection {
    fn check(&self) -> io::Result<()> {
        if self.switch.0.load(Ordering::Acquire) {
            Err(io::ErrorKind::ConnectionAborted.into())
        } else {
            Ok(())
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

//! `http-fetch` as a component sees it: checked, counted, bounded and recorded, then handed to the endpoint of that name.

use std::time::{Duration, Instant};

use super::{EndpointRequest, error, kind_name};
use crate::bindings::querent::host::http_fetch::Host;
use crate::grants::{Denied, Grants, method_name};
use crate::instance::CallState;
use crate::record::{Decision, HostCall, subject};
use crate::types::http::{Error, ErrorKind, Method, Request, Response};

/// Response headers that a component may see. The rest (cookies, challenges, locations) is the host's affair.
fn visible(name: &str) -> bool {
    const VISIBLE: [&str; 3] = ["content-type", "retry-after", "etag"];
    let name = name.to_ascii_lowercase();
    VISIBLE.contains(&name.as_str()) || name.starts_with("x-arango-")
}

impl Host for CallState {
    async fn fetch(&mut self, request: Request) -> Result<Response, Error> {
        let started = Instant::now();
        let subject = subject(&format!(
            "{} {} {}",
            request.endpoint,
            method_name(request.method),
            request.path
        ));
        let sent_bytes = request.body.as_ref().map_or(0, |body| body.len() as u64);
        let mut passed = false;
        let outcome = self.gated(request, &mut passed).await;
        let (status, received_bytes, decision) = match &outcome {
            Ok(response) => (
                Some(response.status),
                response.body.len() as u64,
                Decision::Answered,
            ),
            Err(error) if passed => (None, 0, Decision::Failed(kind_name(error.kind))),
            Err(error) => (None, 0, Decision::Refused(kind_name(error.kind))),
        };
        self.record(HostCall {
            tenant: self.tenant.name.clone(),
            component: self.component.clone(),
            capability: "http-fetch",
            subject,
            status,
            sent_bytes,
            received_bytes,
            elapsed: started.elapsed(),
            decision,
        });
        outcome.map(|mut response| {
            response.headers.retain(|(name, _)| visible(name));
            response.elapsed_ms =
                Some(u32::try_from(started.elapsed().as_millis()).unwrap_or(u32::MAX));
            response
        })
    }
}

impl CallState {
    /// Sets `passed` once the request is on its way to the endpoint.
    async fn gated(&mut self, request: Request, passed: &mut bool) -> Result<Response, Error> {
        let Request {
            endpoint,
            method,
            path,
            headers,
            body,
            timeout_ms,
            max_response_bytes,
        } = request;
        let tenant = self.tenant.clone();
        let limits = &tenant.limits;
        let Some(bound) = tenant.endpoints.get(&endpoint) else {
            let known: Vec<String> = tenant
                .endpoints
                .keys()
                .map(|name| format!("`{name}`"))
                .collect();
            let message = format!(
                "no endpoint `{endpoint}` is bound; there is {}",
                known.join(", ")
            );
            return Err(error(
                ErrorKind::UnknownEndpoint,
                "unknown-endpoint",
                message,
                false,
            ));
        };
        let denied =
            |denied: Denied| error(ErrorKind::Denied, "not-granted", denied.to_string(), false);
        bound.grants.check(method, &path).map_err(denied)?;
        for (name, _) in &headers {
            Grants::check_header(name).map_err(denied)?;
        }
        let size = body.as_ref().map_or(0, Vec::len) as u64;
        if size > limits.request_bytes {
            let message = format!(
                "the request has {size} bytes, and {} are allowed",
                limits.request_bytes
            );
            return Err(error(
                ErrorKind::RequestTooLarge,
                "request-bytes",
                message,
                false,
            ));
        }
        let Some(left) = self
            .deadline
            .admit(Instant::now(), method == Method::Delete)
        else {
            return Err(error(
                ErrorKind::Timeout,
                "call-deadline",
                "the call's time is over",
                false,
            ));
        };
        let room = self.budget.http(limits).map_err(|refusal| {
            let message = format!(
                "the call may make {} requests (`limits.{}`)",
                refusal.allowed, refusal.limit
            );
            error(ErrorKind::Denied, "http-calls", message, false)
        })?;
        let max_response_bytes = max_response_bytes.unwrap_or(u64::MAX).min(room);
        let wished = timeout_ms.map_or(Duration::MAX, |ms| Duration::from_millis(ms.into()));
        let timeout = left.min(limits.http_timeout()).min(wished);

        let too_late = |sent: bool| {
            let message = format!(
                "no answer from `{endpoint}` within {} ms",
                timeout.as_millis()
            );
            error(ErrorKind::Timeout, "request-timeout", message, sent)
        };
        let end = Instant::now() + timeout;
        let turn = tokio::time::timeout(timeout, tenant.http_calls.acquire())
            .await
            .map_err(|_| too_late(false))?;
        *passed = true;
        let timeout = end.saturating_duration_since(Instant::now());
        let call = EndpointRequest {
            method,
            path,
            headers,
            body,
            timeout,
            max_response_bytes,
        };
        let outcome = tokio::time::timeout(timeout, bound.endpoint.fetch(call))
            .await
            .map_err(|_| too_late(true))?;
        drop(turn);
        let response = outcome?;
        let received = response.body.len() as u64;
        self.budget.received(received);
        if received > max_response_bytes {
            return Err(too_large(max_response_bytes));
        }
        Ok(response)
    }
}

/// The error for a body beyond its cap.
pub(super) fn too_large(allowed: u64) -> Error {
    let message = format!("the response has more than {allowed} bytes");
    error(ErrorKind::ResponseTooLarge, "response-bytes", message, true)
}

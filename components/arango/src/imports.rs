//! The two imports as the core's ports: requests are passed flat, and the host writes its answer where it is told to.

use core::mem::MaybeUninit;

use querent::ports::{
    Completion, Http, HttpError, HttpRequest, HttpResponse, Llm, LlmError, LlmRequest,
};

use crate::abi::{self, Lift};

/// The host, as the core sees it.
pub(crate) struct Host;

#[link(wasm_import_module = "querent:host/llm-complete@0.1.0")]
unsafe extern "C" {
    fn complete(
        purpose: *const u8,
        purpose_length: usize,
        messages: *const u8,
        messages_length: usize,
        is_json_schema: i32,
        json_schema: *const u8,
        json_schema_length: usize,
        is_max_output_tokens: i32,
        max_output_tokens: u32,
        is_timeout_ms: i32,
        timeout_ms: u32,
        is_temperature: i32,
        temperature: f32,
        options: *const u8,
        options_length: usize,
        result: *mut u8,
    );
}

#[link(wasm_import_module = "querent:host/http-fetch@0.1.0")]
unsafe extern "C" {
    fn fetch(
        endpoint: *const u8,
        endpoint_length: usize,
        method: i32,
        path: *const u8,
        path_length: usize,
        headers: *const u8,
        headers_length: usize,
        is_body: i32,
        body: *const u8,
        body_length: usize,
        is_timeout_ms: i32,
        timeout_ms: u32,
        is_max_response_bytes: i32,
        max_response_bytes: u64,
        result: *mut u8,
    );
}

/// An optional run of bytes as three parameters.
fn optional(bytes: Option<&[u8]>) -> (i32, *const u8, usize) {
    let content = bytes.unwrap_or_default();
    (i32::from(bytes.is_some()), content.as_ptr(), content.len())
}

/// Where an import writes its result: room for any of them, aligned for all.
type Answered = MaybeUninit<[u64; 16]>;

/// Reads what an import wrote, and frees the buffers of the request's lists.
///
/// # Safety
///
/// The import was told to write there, returned, and its result is of this type.
unsafe fn answered<T: Lift>(at: &Answered) -> T {
    const { assert!(T::LAYOUT.size <= size_of::<Answered>()) };
    abi::take_back();
    // SAFETY: the caller says so.
    unsafe { T::lift(at.as_ptr().cast()) }
}

impl Llm for Host {
    fn complete(&self, request: &LlmRequest) -> Result<Completion, LlmError> {
        let (messages, messages_length) = abi::borrowed(&request.messages);
        let (is_schema, schema, schema_length) =
            optional(request.json_schema.as_deref().map(str::as_bytes));
        let mut result = Answered::uninit();
        // SAFETY: the parameters are the contract's record, flattened; all that they point to lives until the call returns.
        unsafe {
            complete(
                request.purpose.as_ptr(),
                request.purpose.len(),
                messages,
                messages_length,
                is_schema,
                schema,
                schema_length,
                i32::from(request.max_output_tokens.is_some()),
                request.max_output_tokens.unwrap_or_default(),
                i32::from(request.timeout_ms.is_some()),
                request.timeout_ms.unwrap_or_default(),
                i32::from(request.temperature.is_some()),
                request.temperature.unwrap_or_default(),
                // No options: any address serves for nothing.
                messages,
                0,
                result.as_mut_ptr().cast(),
            );
            answered(&result)
        }
    }
}

impl Http for Host {
    fn fetch(&self, request: &HttpRequest) -> Result<HttpResponse, HttpError> {
        let (headers, headers_length) = abi::borrowed(&request.headers);
        let (is_body, body, body_length) = optional(request.body.as_deref());
        let mut result = Answered::uninit();
        // SAFETY: as for the model.
        unsafe {
            fetch(
                request.endpoint.as_ptr(),
                request.endpoint.len(),
                request.method as i32,
                request.path.as_ptr(),
                request.path.len(),
                headers,
                headers_length,
                is_body,
                body,
                body_length,
                i32::from(request.timeout_ms.is_some()),
                request.timeout_ms.unwrap_or_default(),
                i32::from(request.max_response_bytes.is_some()),
                request.max_response_bytes.unwrap_or_default(),
                result.as_mut_ptr().cast(),
            );
            answered(&result)
        }
    }
}

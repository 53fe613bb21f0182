//! The text of a double, as the server writes it in JSON and in `TO_STRING()`.

/// The shortest digits that read back as `number`: plain where that is short (`1`, `0.5`, `12000000`), else with an
/// exponent (`1e+8`, `1.5e-7`). What is not finite is `null`.
pub fn double_text(number: f64) -> String {
    if !number.is_finite() {
        return "null".to_owned();
    }
    let sign = if number.is_sign_negative() { "-" } else { "" };
    if number == 0.0 {
        return format!("{sign}0");
    }
    let (digits, scale) = shortest(number.abs());
    let count = digits.len() as i32;
    let exponent = scale + count - 1;
    if scale >= 0 && exponent < count + 7 {
        return format!("{sign}{digits}{}", "0".repeat(scale as usize));
    }
    if scale < 0 && (scale > -7 || exponent.abs() < 4) {
        let point = count + scale;
        return match usize::try_from(point) {
            Ok(point) if point > 0 => {
                let (whole, rest) = digits.split_at(point);
                format!("{sign}{whole}.{rest}")
            }
            _ => format!(
                "{sign}0.{}{digits}",
                "0".repeat(point.unsigned_abs() as usize)
            ),
        };
    }
    let (first, rest) = digits.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    let direction = if exponent < 0 { '-' } else { '+' };
    format!("{sign}{first}{point}{rest}e{direction}{}", exponent.abs())
}

/// The shortest significant digits and the power of ten of the last of them.
fn shortest(number: f64) -> (String, i32) {
    let text = format!("{number:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let scale = exponent - (digits.len() as i32 - 1);
    (digits, scale)
}

//! Which network addresses an endpoint may have.
//!
//! A database in the same machine or the same private network is the normal case, so loopback and private ranges are allowed.
//! What is never a database, and often a way to a machine's credentials, is always refused, in every spelling: as it stands,
//! mapped or embedded into IPv6 (`::ffff:169.254.169.254`, NAT64, 6to4, ISATAP, Teredo).
//!
//! | refused | |
//! |---|---|
//! | `169.254.0.0/16`, `fe80::/10` | link-local: the metadata services of most clouds |
//! | `fd00:ec2::254`, `100.100.100.200`, `168.63.129.16`, `192.0.0.192` | metadata services at other addresses |
//! | `0.0.0.0/8`, `::` | "this host", which some systems route to loopback |
//! | multicast, broadcast, documentation ranges, `240.0.0.0/4` | no server has one |

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Why an address is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the address `{address}` is refused: it is {reason}")]
pub struct AddressError {
    address: IpAddr,
    reason: &'static str,
}

/// Checks one resolved address.
///
/// # Errors
///
/// Where the address, or the IPv4 address inside it, is one of those above.
///
/// ```
/// use host_example::http::check_address;
///
/// assert!(check_address("10.1.2.3".parse()?).is_ok());
/// assert!(check_address("169.254.169.254".parse()?).is_err());
/// assert!(check_address("::ffff:169.254.169.254".parse()?).is_err());
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
pub fn check_address(address: IpAddr) -> Result<(), AddressError> {
    let reason = match address {
        IpAddr::V4(v4) => refuse_v4(v4),
        IpAddr::V6(v6) => refuse_v6(v6),
    };
    reason.map_or(Ok(()), |reason| Err(AddressError { address, reason }))
}

const METADATA: &str = "the metadata service of a cloud";

fn refuse_v4(address: Ipv4Addr) -> Option<&'static str> {
    match address.octets() {
        [169, 254, 169, 254] | [100, 100, 100, 200] | [168, 63, 129, 16] | [192, 0, 0, 192] => {
            Some(METADATA)
        }
        [0, ..] => Some("not an address of a server"),
        [240..=255, ..] => Some("reserved"),
        _ if address.is_link_local() => Some("link-local"),
        _ if address.is_multicast() => Some("multicast"),
        _ if address.is_documentation() => Some("reserved for documentation"),
        _ => None,
    }
}

fn refuse_v6(address: Ipv6Addr) -> Option<&'static str> {
    if address == Ipv6Addr::LOCALHOST {
        return None;
    }
    let segments = address.segments();
    match segments {
        [0, 0, 0, 0, 0, 0, 0, 0] => return Some("not an address of a server"),
        [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254] | [0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254] => {
            return Some(METADATA);
        }
        [0xfe80..=0xfebf, ..] => return Some("link-local"),
        [0xfec0..=0xfeff, ..] => return Some("site-local, which is withdrawn"),
        [0xff00..=0xffff, ..] => return Some("multicast"),
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => return Some("reserved for documentation"),
        _ => {}
    }
    embedded_v4(segments)
        .into_iter()
        .flatten()
        .find_map(refuse_v4)
}

/// The IPv4 addresses that an IPv6 address stands for.
fn embedded_v4(segments: [u16; 8]) -> [Option<Ipv4Addr>; 2] {
    let at = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        Some(Ipv4Addr::new(a, b, c, d))
    };
    match segments {
        // Compatible, mapped, translated.
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] | [0, 0, 0, 0, 0xffff, 0, high, low] => {
            [at(high, low), None]
        }
        // NAT64, well-known and local prefix.
        [0x64, 0xff9b, 0 | 1, .., high, low] => [at(high, low), None],
        // 6to4.
        [0x2002, high, low, ..] => [at(high, low), None],
        // Teredo: the server, and the client with its bits inverted.
        [0x2001, 0, server_high, server_low, .., high, low] => {
            [at(server_high, server_low), at(!high, !low)]
        }
        // ISATAP, below any prefix.
        [.., 0 | 0x200, 0x5efe, high, low] => [at(high, low), None],
        _ => [None, None],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<(), AddressError> {
        check_address(text.parse().unwrap())
    }

    #[test]
    fn servers_on_this_machine_and_in_private_networks_are_allowed() {
        for address in [
            "127.0.0.1",
            "::1",
            "10.0.0.5",
            "172.16.3.4",
            "192.168.1.1",
            "100.64.0.1",
            "fd12::1",
            "203.0.112.9",
        ] {
            assert_eq!(check(address), Ok(()), "{address}");
        }
    }

    #[test]
    fn metadata_services_are_refused_in_every_spelling() {
        for address in [
            "169.254.169.254",
            "169.254.170.2",
            "100.100.100.200",
            "168.63.129.16",
            "192.0.0.192",
            "::ffff:169.254.169.254",
            "::ffff:0:169.254.169.254",
            "::169.254.169.254",
            "::ffff:a9fe:a9fe",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::a9fe:a9fe",
            "2002:a9fe:a9fe::1",
            "2001:0:a9fe:a9fe::1",
            "2001:0:4136:e378:8000:63bf:5601:5601",
            "fe80::5efe:a9fe:a9fe",
            "2001:470::5efe:a9fe:a9fe",
            "fd00:ec2::254",
        ] {
            assert!(check(address).is_err(), "{address}");
        }
    }

    #[test]
    fn addresses_that_no_server_has_are_refused() {
        for address in [
            "0.0.0.0",
            "0.1.2.3",
            "255.255.255.255",
            "224.0.0.1",
            "192.0.2.1",
            "::",
            "ff02::1",
            "fe80::1",
            "2001:db8::1",
        ] {
            assert!(check(address).is_err(), "{address}");
        }
    }

    #[test]
    fn the_error_names_the_address_and_the_reason() {
        assert_eq!(
            check("169.254.169.254").unwrap_err().to_string(),
            "the address `169.254.169.254` is refused: it is the metadata service of a cloud"
        );
    }
}

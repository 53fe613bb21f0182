//! Exit codes: one for each kind of error.

use host_example::types::ErrorKind;

/// Everything went well.
pub(crate) const OK: u8 = 0;
/// Fewer right answers than an evaluation asked for.
pub(crate) const BELOW: u8 = 1;
/// The command line is not right.
pub(crate) const USAGE: u8 = 2;
/// Something that no other code names.
pub(crate) const OTHER: u8 = 15;

/// The table, as `--help` shows it.
pub(crate) const HELP: &str = "Exit codes:
   0  an answer, rows or words
   1  `eval`: fewer right answers than --min-accuracy asks for
   2  the command line is not right
   3  configuration: settings, secrets, tenant, component file
   4  invalid-input: the question or query is empty, too long or of the wrong form
   5  denied: the host refused a capability, or a component
   6  database-unreachable
   7  database-unauthorized
   8  database-error: the query failed when it ran
   9  query-refused: it writes, or breaks the policy
  10  query-invalid: no valid query within the attempts allowed
  11  limit-exceeded: rows, bytes, tokens, calls or memory
  12  timeout
  13  model: it cannot be reached, refused, or its reply cannot be used
  14  internal
  15  anything else

Secrets come from the environment (QUERENT_PASSWORD, QUERENT_TOKEN, QUERENT_API_KEY) or from files, never from options.";

/// The exit code for a kind of error.
pub(crate) fn code(kind: ErrorKind) -> u8 {
    match kind {
        ErrorKind::Configuration => 3,
        ErrorKind::InvalidInput => 4,
        ErrorKind::Denied => 5,
        ErrorKind::DatabaseUnreachable => 6,
        ErrorKind::DatabaseUnauthorized => 7,
        ErrorKind::DatabaseError => 8,
        ErrorKind::QueryRefused => 9,
        ErrorKind::QueryInvalid => 10,
        ErrorKind::LimitExceeded => 11,
        ErrorKind::Timeout => 12,
        ErrorKind::Model => 13,
        ErrorKind::Internal => 14,
        ErrorKind::Other => OTHER,
    }
}

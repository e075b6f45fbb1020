//! Notices of Prolific about submissions: signed, and done once.

use hmac::{Hmac, KeyInit, Mac};
use karat::campaigns::life::AssignmentEvent;
use serde::Deserialize;
use sha2::Sha256;

/// What a platform tells of an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookEvent {
    /// The id of the event.
    pub id: String,
    /// The id that the platform has for the assignment.
    pub assignment: String,
    /// What happened, where it is something that an assignment does.
    pub event: Option<AssignmentEvent>,
}

/// Why a notice is not believed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HookError {
    /// It is not signed with the secret of this server.
    #[error("the signature does not fit")]
    Signature,
    /// It was signed too long ago, or in the future.
    #[error("the time of the signature is more than five minutes away")]
    Time,
    /// It cannot be read.
    #[error("the notice cannot be read: {0}")]
    Body(String),
}

/// A signature is good for five minutes.
const MOST_SECONDS: i64 = 300;

#[derive(Deserialize)]
struct Body {
    event_id: Option<String>,
    resource_id: String,
    status: String,
}

/// Reads a notice about the status of a submission. The signature is HMAC-SHA256 over the timestamp and the body, in base64.
pub fn prolific_event(
    secret: &str,
    (timestamp, signature): (&str, &str),
    body: &[u8],
    now: i64,
) -> Result<HookEvent, HookError> {
    let mut mac =
        Hmac::<Sha256>::new_from_slice(secret.as_bytes()).map_err(|_| HookError::Signature)?;
    mac.update(timestamp.as_bytes());
    mac.update(body);
    let given = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, signature)
        .map_err(|_| HookError::Signature)?;
    // It compares in the same time for all that are wrong.
    mac.verify_slice(&given).map_err(|_| HookError::Signature)?;
    let signed: i64 = timestamp.parse().map_err(|_| HookError::Time)?;
    if (now / 1000 - signed).abs() > MOST_SECONDS {
        return Err(HookError::Time);
    }
    let body: Body =
        serde_json::from_slice(body).map_err(|error| HookError::Body(error.to_string()))?;
    let event = match body.status.replace('_', "-").to_uppercase().as_str() {
        // Whoever left holds no tasks any more.
        "RETURNED" | "TIMED-OUT" | "REJECTED" => Some(AssignmentEvent::GivenBack),
        _ => None,
    };
    let id = body.event_id.unwrap_or_else(|| format!("{} {}", body.resource_id, body.status));
    Ok(HookEvent { id, assignment: body.resource_id, event })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signed(secret: &str, timestamp: &str, body: &[u8]) -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes())
            .unwrap_or_else(|error| panic!("{error}"));
        mac.update(timestamp.as_bytes());
        mac.update(body);
        base64::Engine::encode(
            &base64::engine::general_purpose::STANDARD,
            mac.finalize().into_bytes(),
        )
    }

    #[test]
    fn only_what_is_signed_and_new_is_believed() {
        let body = br#"{"event_id":"e1","resource_id":"s1","status":"TIMED-OUT"}"#;
        let now = 1_700_000_000_000;
        let good = signed("secret", "1700000000", body);
        let event = prolific_event("secret", ("1700000000", &good), body, now);
        let expected = HookEvent {
            id: "e1".into(),
            assignment: "s1".into(),
            event: Some(AssignmentEvent::GivenBack),
        };
        assert_eq!(event, Ok(expected));
        let refused = |secret: &str, timestamp: &str, signature: &str, body: &[u8], now| {
            prolific_event(secret, (timestamp, signature), body, now).err()
        };
        assert_eq!(refused("other", "1700000000", &good, body, now), Some(HookError::Signature));
        assert_eq!(refused("secret", "1700000001", &good, body, now), Some(HookError::Signature));
        assert_eq!(refused("secret", "1700000000", "?", body, now), Some(HookError::Signature));
        assert_eq!(refused("secret", "1700000000", &good, b"{}", now), Some(HookError::Signature));
        assert_eq!(
            refused("secret", "1700000000", &good, body, now + 301_000),
            Some(HookError::Time)
        );
        let empty = signed("secret", "1700000000", b"{}");
        let error = refused("secret", "1700000000", &empty, b"{}", now);
        assert!(matches!(error, Some(HookError::Body(_))), "{error:?}");
        let approved = br#"{"resource_id":"s1","status":"APPROVED"}"#;
        let good = signed("secret", "1700000000", approved);
        let event = prolific_event("secret", ("1700000000", &good), approved, now);
        assert_eq!(event.map(|event| event.event), Ok(None));
    }
}

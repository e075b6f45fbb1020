//! Values of JSON that borrow from the text wherever they can.

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use std::borrow::Cow;
use std::fmt;

/// A string. Unlike a plain `Cow` it borrows inside lists and options too.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Borrowed<'t>(pub(crate) Cow<'t, str>);

impl std::ops::Deref for Borrowed<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de: 't, 't> Deserialize<'de> for Borrowed<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Borrowed<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Borrowed(Cow::Borrowed(text)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Borrowed(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

/// A string or a whole number, which may be null or missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Scalar<'t> {
    /// The key is not there; needs `#[serde(default)]`.
    #[default]
    Absent,
    /// `null`.
    Null,
    /// A whole number.
    Number(i64),
    /// A string.
    Text(Cow<'t, str>),
}

impl<'de: 't, 't> Deserialize<'de> for Scalar<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Scalar<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string or a whole number")
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Scalar::Text(Cow::Borrowed(text)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Scalar::Text(Cow::Owned(text.to_owned())))
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
                Ok(Scalar::Number(number))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
                // Ids beyond 63 bits are rare and are kept as text.
                let text = || Scalar::Text(Cow::Owned(number.to_string()));
                Ok(i64::try_from(number).map_or_else(|_| text(), Scalar::Number))
            }

            fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
                Ok(Scalar::Null)
            }
        }
        deserializer.deserialize_any(Any)
    }
}

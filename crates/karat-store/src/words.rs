//! Enums that are stored as words.

/// An enum whose variants are stored, and written in JSON, as words.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The word that stands for it in the database and in JSON.
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => $word,)+ }
            }

            /// What a word stands for.
            pub fn from_word(word: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|one| one.word() == word)
            }
        }

        // The derive does not see the names that the macro gives to variants.
        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::Type::String)
                    .enum_values(Some([$($word),+]))
                    .into()
            }
        }

        impl utoipa::ToSchema for $name {
            fn name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }
        }

        impl $crate::sql::Column for $name {
            fn get(columns: &$crate::sql::Columns, at: usize) -> $crate::Result<$name> {
                let word = <String as $crate::sql::Column>::get(columns, at)?;
                $name::from_word(&word)
                    .ok_or($crate::StoreError::Malformed(concat!("unknown ", stringify!($name))))
            }
        }

        impl From<$name> for $crate::sql::Arg<'_> {
            fn from(value: $name) -> Self {
                $crate::sql::Arg::Text(Some(value.word()))
            }
        }
    };
}
pub(crate) use words;

//! Services that are known, each a declaration.

use super::declaration::{Declaration, DeclarationError};

/// A service that is known.
#[derive(Debug, Clone, Copy)]
pub struct KnownService {
    /// What users call it.
    pub name: &'static str,
    /// What it is, in a line.
    pub title: &'static str,
    /// Its declaration.
    pub text: &'static str,
}

impl KnownService {
    /// The declaration as it is read.
    pub fn declaration(&self) -> Result<Declaration, DeclarationError> {
        Declaration::parse(self.text)
    }
}

macro_rules! services {
    ($($name:literal: $title:literal;)*) => {
        &[$(KnownService {
            name: $name,
            title: $title,
            text: include_str!(concat!("known/", $name, ".toml")),
        }),*]
    };
}

/// All of them, in the order in which they are listed.
pub const KNOWN_SERVICES: &[KnownService] = services! {
    "nif": "any annotator that speaks NIF as GERBIL does, at NIF_URL";
    "rel": "REL, the Radboud Entity Linker, at REL_URL";
    "spotlight": "DBpedia Spotlight, at SPOTLIGHT_URL";
    "entity-fishing": "entity-fishing, at ENTITY_FISHING_URL";
    "opentapioca": "OpenTapioca, at OPENTAPIOCA_URL";
    "relik": "ReLiK, at RELIK_URL";
    "bern2": "BERN2, for biomedical texts, at BERN2_URL";
    "falcon2": "Falcon 2.0, which tells no offsets, at FALCON_URL";
    "grasp": "GRASP, at GRASP_URL";
    "tagme": "TagMe, with a token in TAGME_TOKEN";
    "wat": "WAT, with a token in TAGME_TOKEN";
    "babelfy": "Babelfy, with a key in BABELFY_KEY";
    "textrazor": "TextRazor, with a key in TEXTRAZOR_KEY";
    "dandelion": "Dandelion, with a token in DANDELION_TOKEN";
    "azure": "Azure AI Language, with a key in AZURE_LANGUAGE_KEY";
    "google": "Google Cloud Natural Language, with a key in GOOGLE_API_KEY";
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_declaration_can_be_read_and_is_called_as_it_is_listed() {
        for service in KNOWN_SERVICES {
            let read = service.declaration();
            let read = read.unwrap_or_else(|error| {
                panic!("{}: {error} at {:?}", service.name, &service.text[error.span.clone()])
            });
            assert_eq!(read.info().name, service.name);
            assert!(read.reference().is_some(), "{}", service.name);
        }
    }
}

//! Identifiers of biomedical vocabularies, which are written with the name of their vocabulary and without.
//!
//! `NCBI Gene:3577`, `NCBIGene:3577`, `http://identifiers.org/ncbigene/3577` and `3577` are one gene, `MESH:D003110` and `D003110` one
//! disease. Nothing but the mention says which vocabulary a bare number is of, so this is for comparing answers on one mention, and
//! never for building a knowledge base.

use std::borrow::Cow;

/// The names of vocabularies in small letters, without blanks, underscores and hyphens.
const NAMES: &[&str] = &[
    "cellosaurus",
    "chebi",
    "cl",
    "clo",
    "cui",
    "cvcl",
    "dbsnp",
    "doid",
    "drugbank",
    "efo",
    "entrez",
    "entrezgene",
    "gene",
    "geneid",
    "go",
    "hgnc",
    "hp",
    "hpo",
    "icd10",
    "icd10cm",
    "icd9",
    "icd9cm",
    "medic",
    "mesh",
    "mim",
    "mondo",
    "msh",
    "ncbi",
    "ncbigene",
    "ncbitaxid",
    "ncbitaxon",
    "ncbitaxonomy",
    "ncit",
    "omim",
    "orpha",
    "orphanet",
    "pr",
    "rrid",
    "snomed",
    "snomedct",
    "snomedctus",
    "so",
    "species",
    "taxid",
    "taxon",
    "taxonomy",
    "tmvar",
    "uberon",
    "umls",
    "uniprot",
    "uniprotkb",
];

/// Where addresses of such identifiers begin: what follows is the name of the vocabulary, or the identifier itself.
const ADDRESSES: &[&str] = &[
    "purl.obolibrary.org/obo/",
    "identifiers.org/",
    "bioregistry.io/",
    "id.nlm.nih.gov/mesh/",
    "www.ncbi.nlm.nih.gov/gene/",
];

/// An identifier without the name of its vocabulary. Of several, joined by `;`, `,` or `|`, each is.
pub(crate) fn bare(id: &str) -> Cow<'_, str> {
    if !id.contains([';', ',', '|']) {
        return Cow::Borrowed(bare_one(id).unwrap_or(id));
    }
    let parts: Option<Vec<&str>> = id.split([';', ',', '|']).map(bare_one).collect();
    parts.map_or(Cow::Borrowed(id), |parts| Cow::Owned(parts.join(";")))
}

/// The same of one; `None` if it has no such name.
fn bare_one(id: &str) -> Option<&str> {
    let id = id.trim();
    let path = id.split_once("://").map(|(_, path)| path);
    let path = path.and_then(|path| ADDRESSES.iter().find_map(|start| path.strip_prefix(start)));
    let local = path.unwrap_or(id);
    let named = local.find([':', '/', '_']).and_then(|at| {
        let (name, rest) = (&local[..at], local[at + 1..].trim());
        let rest = bare_one(rest).unwrap_or(rest);
        // `Species_3` is the title of a film.
        let is_title =
            local.as_bytes()[at] == b'_' && name.bytes().any(|byte| byte.is_ascii_lowercase());
        (is_vocabulary(name) && !is_title && is_identifier(rest)).then_some(rest)
    });
    named.or(path.filter(|path| is_identifier(path)))
}

fn is_vocabulary(name: &str) -> bool {
    let letters = name.chars().filter(|letter| !matches!(letter, ' ' | '_' | '-'));
    let name: String = letters.flat_map(char::to_lowercase).take(16).collect();
    NAMES.contains(&name.as_str())
}

/// Identifiers have a digit and no blanks; titles such as `GO:_The_Movie` have none.
fn is_identifier(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::bare;

    #[test]
    fn the_name_of_a_vocabulary_is_taken_off() {
        for (id, expected) in [
            ("NCBI Gene:3577", "3577"),
            ("NCBIGene:3577", "3577"),
            ("ncbigene:3577", "3577"),
            ("3577", "3577"),
            ("MESH:D003110", "D003110"),
            ("MSH_D003110", "D003110"),
            ("D003110", "D003110"),
            ("CHEBI:CHEBI:15365", "15365"),
            ("CHEBI_15365", "15365"),
            ("CVCL_0001", "0001"),
            ("http://purl.obolibrary.org/obo/CHEBI_15365", "15365"),
            ("http://identifiers.org/ncbigene/3577", "3577"),
            ("http://id.nlm.nih.gov/mesh/D003110", "D003110"),
            ("omim:1;MESH:D2", "1;D2"),
            ("OMIM:1,MESH:D2", "1;D2"),
            ("UMLS:C0011849", "C0011849"),
            ("Go:_The_Movie", "Go:_The_Movie"),
            ("de:Berlin", "de:Berlin"),
            ("Gene_Kelly", "Gene_Kelly"),
            ("Species_3", "Species_3"),
            ("Species_II,_1998", "Species_II,_1998"),
            ("dbSNP:c|DEL||5", "dbSNP:c|DEL||5"),
            ("", ""),
        ] {
            assert_eq!(bare(id), expected, "{id}");
            assert_eq!(bare(expected), expected, "{id}");
        }
    }
}

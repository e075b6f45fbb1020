//! The layers of a file, from its head, and which of their columns are read.

/// What an entity is called, the surest first.
const LINKS: [&str; 12] = [
    "identifier",
    "identity",
    "wikidata",
    "wikidataid",
    "qid",
    "entityid",
    "entitylink",
    "kbid",
    "link",
    "wikipedia",
    "iri",
    "uri",
];
/// What a type is called, the surest first.
const TYPES: [&str; 8] =
    ["value", "entity", "type", "etype", "label", "entitytype", "category", "class"];

/// What kind of layer it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Span,
    Chain,
    Relation,
}

/// A layer and its columns.
#[derive(Debug)]
pub(super) struct Layer {
    shape: Shape,
    pub(super) name: String,
    features: Vec<String>,
    /// Which column is its first.
    first: usize,
}

/// A layer that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Columns {
    /// All columns of the layer: an annotation may have values in any of them.
    pub(super) first: usize,
    pub(super) count: usize,
    pub(super) link: Option<usize>,
    pub(super) kind: Option<usize>,
}

impl Layer {
    /// The layer of a line such as `#T_SP=webanno.custom.Referent|entity|identity`.
    pub(super) fn parse(line: &str, first: usize) -> Option<Layer> {
        let (shape, rest) = match line.split_once('=')? {
            ("#T_SP", rest) => (Shape::Span, rest),
            ("#T_CH", rest) => (Shape::Chain, rest),
            ("#T_RL", rest) => (Shape::Relation, rest),
            _ => return None,
        };
        let mut parts = rest.trim_end().split('|');
        let name = parts.next().unwrap_or_default().to_owned();
        Some(Layer { shape, name, features: parts.map(str::to_owned).collect(), first })
    }

    /// Where the columns of the next layer begin.
    pub(super) fn end(&self) -> usize {
        self.first + self.features.len().max(1)
    }

    fn column(&self, names: &[&str]) -> Option<usize> {
        let plain = |feature: &str| {
            feature
                .chars()
                .filter(char::is_ascii_alphanumeric)
                .collect::<String>()
                .to_ascii_lowercase()
        };
        let features: Vec<String> = self.features.iter().map(|feature| plain(feature)).collect();
        let found = names.iter().find_map(|name| features.iter().position(|f| f == name));
        found.map(|at| self.first + at)
    }

    fn columns(&self) -> Columns {
        let count = self.features.len().max(1);
        let (link, kind) = (self.column(&LINKS), self.column(&TYPES));
        // What a layer of one feature says of a mention is its type, whatever it is called.
        let only = (self.features.len() == 1 && link.is_none()).then_some(self.first);
        Columns { first: self.first, count, link, kind: kind.or(only) }
    }

    fn is_of_names(&self) -> bool {
        self.name.ends_with("NamedEntity") || self.name.ends_with("NamedEntities")
    }
}

/// The layers that are read, and the names of the others: those that say which entity is meant, else those of names,
/// else the only one there is.
pub(super) fn chosen<'l>(layers: &[&'l Layer]) -> (Vec<Columns>, Vec<&'l str>) {
    let spans = || layers.iter().copied().filter(|layer| layer.shape == Shape::Span);
    let fits: Box<dyn Fn(&Layer) -> bool> = match () {
        () if spans().any(|layer| layer.column(&LINKS).is_some()) => {
            Box::new(|layer| layer.column(&LINKS).is_some())
        }
        () if spans().any(Layer::is_of_names) => Box::new(Layer::is_of_names),
        () => Box::new(|layer| layer.name.starts_with("webanno.custom.")),
    };
    let is_read = |layer: &&'l Layer| layer.shape == Shape::Span && fits(layer);
    let (read, others): (Vec<&Layer>, Vec<&Layer>) = layers.iter().copied().partition(is_read);
    let names = others.into_iter().map(|layer| layer.name.as_str());
    (read.into_iter().map(Layer::columns).collect(), names.collect())
}

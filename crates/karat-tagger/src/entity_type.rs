//! The entity types of the scheme, and which classes of a knowledge base they are.

use karat_kb::{Entity, KnowledgeBase};

/// What an entity is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntityType {
    /// A person, real or not.
    Person,
    /// An organisation.
    Organisation,
    /// A place.
    Place,
    /// Anything else.
    Miscellany,
}

impl EntityType {
    /// All four, in the order of the scheme.
    pub const ALL: [EntityType; 4] =
        [EntityType::Person, EntityType::Organisation, EntityType::Place, EntityType::Miscellany];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            EntityType::Person => "Person",
            EntityType::Organisation => "Organisation",
            EntityType::Place => "Place",
            EntityType::Miscellany => "Miscellany",
        }
    }

    /// The type that a name means, as the scheme, its annotation tool or most corpora spell it.
    pub fn of(name: &str) -> Option<EntityType> {
        match name.to_lowercase().as_str() {
            "person" | "per" => Some(EntityType::Person),
            "organisation" | "organization" | "org" => Some(EntityType::Organisation),
            "place" | "location" | "loc" => Some(EntityType::Place),
            "miscellany" | "miscellaneous" | "misc" => Some(EntityType::Miscellany),
            _ => None,
        }
    }

    /// The type of an entity, by its classes and those above them; `None` where they do not tell.
    pub(crate) fn of_entity(entity: &Entity<'_>, base: &KnowledgeBase) -> Option<EntityType> {
        let class = |id: &str| Class::of(id, base);
        let reached = base.types_among(entity, |id| class(id).is_some())?;
        let classes: Vec<Class> = reached.into_iter().filter_map(class).collect();
        let is = |wanted: EntityType| classes.contains(&Class::Is(wanted));
        let types: Vec<EntityType> =
            EntityType::ALL.into_iter().filter(|&type_| is(type_)).collect();
        // Several types contradict each other, and then nothing is derived: a wrong tag is worse
        // than none.
        match types[..] {
            [] if classes.contains(&Class::Beside) => Some(EntityType::Miscellany),
            // Nothing of what the base lists, which is everything but a miscellany.
            [] => (classes.is_empty() && lists_the_others(base)).then_some(EntityType::Miscellany),
            [only] => Some(only),
            // Countries and cities are organisations as well, and the scheme calls them places.
            [EntityType::Organisation, EntityType::Place] => Some(EntityType::Place),
            _ => None,
        }
    }
}

/// Whether a base tells persons, organisations and places by the types that it lists.
fn lists_the_others(base: &KnowledgeBase) -> bool {
    let lists = |type_: EntityType| {
        base.whitelist().any(|(id, _)| Class::of(id, base) == Some(Class::Is(type_)))
    };
    [EntityType::Person, EntityType::Organisation, EntityType::Place].into_iter().all(lists)
}

/// What a class of a knowledge base says of an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// It is of this type.
    Is(EntityType),
    /// It is something that entities of any type may be besides, and a miscellany if it is nothing else.
    Beside,
}

impl Class {
    /// Told by the id of the class in Wikidata, or else by its name.
    fn of(id: &str, base: &KnowledgeBase) -> Option<Class> {
        let item = id.rsplit(['/', '#', ':']).next().unwrap_or(id);
        let has = |list: &str, wanted: &str| list.split(' ').any(|word| word == wanted);
        let by_id = CLASSES.iter().find(|(_, ids, _)| has(ids, item));
        let found = by_id.or_else(|| {
            let name = plain(base.type_name(id).unwrap_or(item));
            CLASSES.iter().find(|(.., names)| has(names, &name))
        });
        found.map(|(class, ..)| *class)
    }
}

/// A name without case, blanks and underscores: `GeographicEntity` is `Geographic Entity`.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Classes by their ids in Wikidata and by their plain names, as Wikidata, DBpedia, schema.org and the list
/// of types of ELEVANT have them. What lies below them is found by the hierarchy of the base, if it has one;
/// classes that are common as the direct class of an entity are listed for bases that have none.
const CLASSES: [(Class, &str, &str); 5] = [
    (
        Class::Is(EntityType::Person),
        "Q5 Q215627 Q95074 Q15632617",
        "person human fictionalcharacter fictionalhuman",
    ),
    (
        Class::Is(EntityType::Organisation),
        "Q43229 Q4830453 Q783794 Q6881511 Q891723 Q7278 Q476028 Q847017 Q12973014 Q215380 \
         Q3918 Q2385804 Q31855 Q327333 Q7188 Q484652 Q163740 Q2659904 Q176799 Q4438121 \
         Q22687 Q46970",
        "organisation organization company business enterprise publiccompany politicalparty \
         footballclub associationfootballclub soccerclub sportsclub sportsteam band \
         musicalgroup university educationalinstitution educationalorganization \
         researchinstitute governmentagency governmentorganization government \
         internationalorganization nonprofitorganization militaryunit bank airline",
    ),
    (
        Class::Is(EntityType::Place),
        "Q27096213 Q2221906 Q17334923 Q618123 Q82794 Q56061 Q486972 Q3895768 Q6256 Q3624078 \
         Q7275 Q35657 Q515 Q1549591 Q1637706 Q5119 Q3957 Q532 Q123705 Q5107 Q8502 Q4022 \
         Q23397 Q165 Q9430 Q23442 Q41176 Q811979 Q13226383 Q1248784 Q483110",
        "place location geographicentity geographicalentity geographiclocation \
         geographicallocation geographicalfeature geographicregion region fictionallocation \
         administrativeterritorialentity administrativearea administrativeregion \
         populatedplace humansettlement settlement country sovereignstate state city \
         bigcity capital capitalcity town village neighborhood continent mountain river \
         lake sea ocean island building architecturalstructure facility airport stadium",
    ),
    (
        Class::Is(EntityType::Miscellany),
        "Q17537576 Q1656682 Q1190554 Q483394 Q17376908 Q34770 Q43460564 Q16521 Q9174 Q7257 \
         Q12737077 Q28640 Q11862829 Q618779 Q12136 Q4392985 Q373899 Q22222786 Q33829 Q1075 \
         Q179661 Q169872 Q4936952 Q349 Q729 Q198 Q11424 Q7366 Q571 Q482994 Q5398426",
        "miscellany creativework work event occurrence genre languoid language \
         chemicalentity taxon species religion ideology occupation profession \
         academicdiscipline award disease religiousidentity recordchart governmentprogram \
         humanpopulation ethnicgroup color colour treatment symptom anatomicalstructure \
         sport animal war film song book album televisionseries",
    ),
    (
        Class::Beside,
        "Q2424752 Q431289 Q4164871 Q21070598",
        "product brand position narrativeentity",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use karat_kb::{Builder, Facts};

    fn base() -> KnowledgeBase {
        let mut builder = Builder::in_memory();
        let mut class = |id, name, parents: &[&'static str]| {
            let facts = Facts { name: Some(name), parents: parents.to_vec(), ..Facts::default() };
            builder.entity(id, &facts).unwrap();
        };
        class("Q1", "hamlet", &["Q486972"]);
        class("Q2", "Geographic Entity", &[]);
        class("Q3", "thing", &[]);
        class("Q4", "circle", &["Q4"]);
        builder.finish().unwrap()
    }

    fn found(types: &[&'static str]) -> Option<&'static str> {
        let mut builder = Builder::in_memory();
        builder.entity("e", &Facts { types: Some(types.to_vec()), ..Facts::default() }).unwrap();
        let entities = builder.finish().unwrap();
        let entity = entities.entity("e").unwrap();
        EntityType::of_entity(&entity, &base()).map(EntityType::name)
    }

    #[test]
    fn classes_are_types_where_they_tell() {
        for (types, expected) in [
            (vec!["Q5"], Some("Person")),
            (vec!["http://www.wikidata.org/entity/Q5"], Some("Person")),
            (vec!["http://dbpedia.org/ontology/Person"], Some("Person")),
            (vec!["Geographic Entity"], Some("Place")),
            (vec!["Q1"], Some("Place")),
            (vec!["Q2", "Q43229"], Some("Place")),
            (vec!["Q43229", "Q2424752"], Some("Organisation")),
            (vec!["Q43229", "Q17537576"], None),
            (vec!["Q5", "Q12737077"], None),
            (vec!["Q2424752"], Some("Miscellany")),
            (vec!["schema:Event"], Some("Miscellany")),
            (vec!["Q3"], None),
            (vec!["Q4"], None),
            (vec![], None),
        ] {
            assert_eq!(found(&types), expected, "{types:?}");
        }
    }

    #[test]
    fn a_base_that_lists_the_others_denies_them() {
        let mut builder = Builder::in_memory();
        for (id, name) in [("Q215627", "Person"), ("Q43229", "Organization")] {
            builder.whitelist(id, name);
        }
        builder.entity("e", &Facts { types: Some(vec![]), ..Facts::default() }).unwrap();
        let some = builder.finish().unwrap();
        assert_eq!(EntityType::of_entity(&some.entity("e").unwrap(), &some), None);
        let mut builder = Builder::in_memory();
        for (id, name) in [("Q215627", "Person"), ("Q43229", "Organization"), ("p", "Place")] {
            builder.whitelist(id, name);
        }
        builder.entity("e", &Facts { types: Some(vec![]), ..Facts::default() }).unwrap();
        let all = builder.finish().unwrap();
        let found = EntityType::of_entity(&all.entity("e").unwrap(), &all);
        assert_eq!(found, Some(EntityType::Miscellany));
    }
}

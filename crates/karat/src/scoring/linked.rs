//! Scores as linked data.

use super::answer::{EvaluationAnswer, MeasureRecord, SystemRecord};
use serde_json::{Map, Value, json};

impl EvaluationAnswer {
    /// The scores as JSON-LD: a data set of the RDF Data Cube vocabulary, with an observation for each system and
    /// measure. Its terms are those of `karat eval --format json`; every data set has the signature that reproduces its
    /// numbers.
    pub fn linked_data(&self) -> Value {
        let set = format!("urn:karat:evaluation:{}", self.gold.name);
        let dimensions = ["benchmark", "system", "measure"];
        let measures = ["precision", "recall", "f1"];
        let component = |kind: &str, name: &str| json!({format!("qb:{kind}"): {"@id": name}});
        let components: Vec<Value> = dimensions
            .iter()
            .map(|name| component("dimension", name))
            .chain(measures.iter().map(|name| component("measure", name)))
            .collect();
        let observations = self.systems.iter().flat_map(|system| {
            system.measures.iter().map(|measure| observation(&set, system, measure))
        });
        let mut graph = vec![json!({
            "@id": set,
            "@type": "qb:DataSet",
            "rdfs:label": format!("Scores on {}", self.gold.name),
            "signature": self.signature,
            "documents": self.gold.documents,
            "qb:structure": {"@type": "qb:DataStructureDefinition", "qb:component": components},
        })];
        graph.extend(observations);
        json!({
            "@context": {
                "@vocab": "urn:karat:",
                "qb": "http://purl.org/linked-data/cube#",
                "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
            },
            "@graph": graph,
        })
    }
}

fn observation(set: &str, system: &SystemRecord, measure: &MeasureRecord) -> Value {
    let mut fields = Map::new();
    fields.insert("@type".to_owned(), json!("qb:Observation"));
    fields.insert("qb:dataSet".to_owned(), json!({"@id": set}));
    fields.insert("benchmark".to_owned(), json!(system.benchmark));
    fields.insert("system".to_owned(), json!(system.name));
    fields.insert("measure".to_owned(), json!(measure.name));
    for count in ["tp", "fp", "fn"] {
        if let Some(Some(value)) = measure.count(count) {
            fields.insert(count.to_owned(), json!(value));
        }
    }
    // A score that is not defined has no triple: there is nothing to say.
    for (score, value) in measure.scores.iter().filter(|_| !measure.over_nothing) {
        if let Some(value) = value {
            fields.insert(score.clone(), json!(value));
        }
    }
    for (score, [low, high]) in &measure.ci {
        fields.insert(format!("{score}-low"), json!(low));
        fields.insert(format!("{score}-high"), json!(high));
    }
    Value::Object(fields)
}

#[cfg(test)]
mod tests {
    use crate::inputs::{InputRequest, Inputs, Shelf};
    use crate::request::Request;
    use crate::scoring::EvaluationRequest;
    use crate::work::Work;
    use std::sync::Arc;

    #[test]
    fn every_measure_of_every_system_is_an_observation() -> Result<(), crate::error::Error> {
        let mut shelf = Shelf::default();
        shelf.add(crate::sample::experiment()?, Vec::new());
        let inputs = Inputs {
            gold: vec![InputRequest::held("sample")],
            systems: ["careful", "popular"].map(InputRequest::held).to_vec(),
            ..Inputs::default()
        };
        let request = EvaluationRequest { inputs, ..EvaluationRequest::default() };
        let work = Work { shelf: Some(Arc::new(shelf)), ..Work::default() };
        let answer = request.answer(&work)?;
        let data = answer.linked_data();
        let graph = data["@graph"].as_array().cloned().unwrap_or_default();
        assert_eq!(graph[0]["signature"], answer.signature.as_str());
        assert_eq!(graph.len(), 1 + 2 * answer.systems[0].measures.len());
        let link = graph.iter().find(|it| it["system"] == "careful" && it["measure"] == "link");
        let score = answer.systems[0].measures.iter().find(|it| it.name == "link");
        let f1 = score.and_then(|measure| measure.score("f1")).flatten();
        assert_eq!(link.and_then(|link| link["f1"].as_f64()), f1);
        assert!(f1.is_some());
        Ok(())
    }
}

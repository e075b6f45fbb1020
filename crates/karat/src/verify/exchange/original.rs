//! The tables of Ding, Botzer and Weninger (2022), as their database had them, one CSV file each.
//!
//! Their answers are final links: none is a removal, the proposed one a verification, any other a modification. That loses what
//! karat says apart (modified without a better link, skipped), so a column `action` is written beside it and believed where it
//! is there. Offsets count from the beginning of the task text. Whether somebody passed the controls is a fact of its own
//! there; when it is read it becomes three controls, all right or all wrong.

use crate::verify::judgements::{JudgementFile, quoted};
use karat_formats::table::{DelimitedRecord, for_each_record};
use karat_formats::{Kind, Problem, Source};
use karat_model::{Span, TextIndex};
use karat_verify::plan::{CampaignPlan, CampaignText, ItemKey, ItemKind, Proposal, VerifyItem};
use karat_verify::{ItemJudgement, LinkTarget, VerifyAction};
use percent_encoding::percent_decode_str;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
use std::path::Path;

/// The files, in their order.
pub const ORIGINAL_TABLES: [&str; 5] = [
    "document.csv",
    "annotations.csv",
    "combinations_completed.csv",
    "verified_annotations.csv",
    "user_information.csv",
];

/// What the document of a control task is called there.
const CONTROL: &str = "control";

/// The tables of a campaign: name and content.
pub fn original_tables(file: &JudgementFile) -> Vec<(&'static str, String)> {
    let writing = Writing::of(file);
    let texts = [
        writing.documents(),
        writing.annotations(),
        writing.combinations(),
        writing.verified(),
        writing.people(),
    ];
    ORIGINAL_TABLES.into_iter().zip(texts).collect()
}

/// Rows of cells with their headings.
fn table(headings: &str, rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut text = format!("{headings}\n");
    for row in rows {
        let _ = writeln!(text, "{}", row.into_iter().map(quoted).collect::<Vec<_>>().join(","));
    }
    text
}

struct Writing<'f> {
    file: &'f JudgementFile,
    /// The proposals of each item, by their numbers in the tables, which begin with 1.
    of_item: BTreeMap<usize, Vec<usize>>,
}

impl<'f> Writing<'f> {
    fn of(file: &'f JudgementFile) -> Writing<'f> {
        let mut of_item: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, one) in file.plan.proposals.iter().enumerate() {
            of_item.entry(one.item).or_default().push(at + 1);
        }
        Writing { file, of_item }
    }

    fn document_id(&self, item: &VerifyItem) -> String {
        match item.kind {
            ItemKind::Real => id_of(&self.file.plan.texts[item.text]),
            _ => CONTROL.to_owned(),
        }
    }

    fn mention(&self, item: &VerifyItem) -> String {
        let text = &self.file.plan.texts[item.text];
        let within = (item.begin.checked_sub(text.begin)).zip(item.end.checked_sub(text.begin));
        let words = within.and_then(|(begin, end)| {
            TextIndex::new(&text.words).slice(Span::new(begin, end)).map(str::to_owned)
        });
        words.unwrap_or_default()
    }

    fn documents(&self) -> String {
        let row = |text: &CampaignText| vec![id_of(text), text.words.clone()];
        let shown = self.file.plan.texts.iter().filter(|text| text.document != CONTROL);
        table("doc_id,doc_body", shown.map(row))
    }

    fn annotations(&self) -> String {
        let plan = &self.file.plan;
        let row = |(at, one): (usize, &Proposal)| {
            let item = &plan.items[one.item];
            let begin = plan.texts[item.text].begin;
            vec![
                (at + 1).to_string(),
                self.document_id(item),
                one.source.clone(),
                self.mention(item),
                link(Some(&item.link)),
                item.begin.saturating_sub(begin).to_string(),
                item.end.saturating_sub(begin).to_string(),
            ]
        };
        let headings = "id,document_id,model_enum,mention,entity,start_pos,end_pos";
        let real = |(_, one): &(usize, &Proposal)| plan.items[one.item].kind == ItemKind::Real;
        table(headings, plan.proposals.iter().enumerate().filter(real).map(row))
    }

    /// Pairs of text and source, with whether all of their annotations were judged.
    fn combinations(&self) -> String {
        let plan = &self.file.plan;
        let judged: BTreeSet<usize> = { self.file.judgements.iter() }
            .filter(|one| one.counted && one.action != VerifyAction::Skip)
            .map(|one| one.item)
            .collect();
        let mut pairs: BTreeMap<(usize, &str), bool> = BTreeMap::new();
        for one in &plan.proposals {
            let item = &plan.items[one.item];
            if item.kind == ItemKind::Real {
                let whole = pairs.entry((item.text, &one.source)).or_insert(true);
                *whole &= judged.contains(&one.item);
            }
        }
        let row = |(at, (&(text, source), &whole)): (usize, (&(usize, &str), &bool))| {
            let done = u8::from(whole).to_string();
            let number = (at + 1).to_string();
            vec![number, id_of(&plan.texts[text]), source.to_owned(), done.clone(), done]
        };
        let headings = "id,document_id,model_enum,checked_out,completed";
        table(headings, pairs.iter().enumerate().map(row))
    }

    fn verified(&self) -> String {
        let plan = &self.file.plan;
        let mut rows = Vec::new();
        for one in self.file.judgements.iter().filter(|one| one.counted) {
            let item = &plan.items[one.item];
            if item.kind != ItemKind::Real {
                continue;
            }
            let last = match one.action {
                VerifyAction::Verify => link(Some(&item.link)),
                VerifyAction::Modify => link(one.link.as_ref()),
                VerifyAction::Remove | VerifyAction::Skip => String::new(),
            };
            for annotation in self.of_item.get(&one.item).into_iter().flatten() {
                rows.push(vec![
                    (rows.len() + 1).to_string(),
                    self.document_id(item),
                    one.worker.clone(),
                    plan.proposals[annotation - 1].source.clone(),
                    annotation.to_string(),
                    u8::from(one.action == VerifyAction::Verify).to_string(),
                    self.mention(item),
                    last.clone(),
                    one.action.to_string(),
                ]);
            }
        }
        let headings = "id,document_id,user_id,model_enum,annotation_id,verified,mention,modified_entity,action";
        table(headings, rows.into_iter())
    }

    /// People, with whether all of their controls were right. Who had none is not said to have passed.
    fn people(&self) -> String {
        let plan = &self.file.plan;
        let keys: HashMap<usize, &ItemKey> = plan.keys.iter().map(|key| (key.item, key)).collect();
        let mut people: BTreeMap<&str, Option<bool>> = BTreeMap::new();
        for one in self.file.judgements.iter() {
            let passed = people.entry(&one.worker).or_default();
            let is_control = plan.items[one.item].kind == ItemKind::Control;
            let right = keys.get(&one.item).and_then(|key| key.accepts(one.action));
            if let Some(right) = right.filter(|_| is_control) {
                *passed = Some(passed.unwrap_or(true) && right);
            }
        }
        let row = |(name, passed): (&&str, &Option<bool>)| {
            let passed = passed.map(|passed| u8::from(passed).to_string()).unwrap_or_default();
            vec![(*name).to_owned(), passed, String::new()]
        };
        table("user_id,control_passed,result_code", people.iter().map(row))
    }
}

fn id_of(text: &CampaignText) -> String {
    format!("{}-{}_{}", text.document, text.begin, text.end)
}

fn link(target: Option<&LinkTarget>) -> String {
    target.map(ToString::to_string).unwrap_or_default()
}

/// A title without what addresses of Wikipedia have around it. The original took everything that is no address of the English
/// Wikipedia for a removal; here other ids stay what they are.
fn settled(link: &str) -> String {
    let link = link.trim_start();
    let address = ["https://", "http://", ""].into_iter().find_map(|scheme| {
        let rest = link.strip_prefix(scheme)?;
        let rest = rest.strip_prefix("en.wikipedia.org/wiki/");
        rest.or_else(|| link.strip_prefix(scheme)?.strip_prefix("en.m.wikipedia.org/wiki/"))
    });
    match address {
        Some(title) => percent_decode_str(title).decode_utf8_lossy().replace('_', " "),
        None => link.to_owned(),
    }
}

/// A table with columns of these names, in any order; those after the first `needed` may be missing.
fn rows<const N: usize>(
    folder: &Path,
    name: &str,
    columns: [&'static str; N],
    needed: usize,
    mut take: impl FnMut([&str; N], &dyn Fn(&str) -> Problem) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let source = Source::file(folder.join(name));
    let mut places: Option<[Option<usize>; N]> = None;
    for_each_record(&source, b',', None, |record: &DelimitedRecord<'_>| {
        let Some(places) = &places else {
            let found = columns.map(|column| record.cells().position(|cell| cell.trim() == column));
            if let Some(at) = (0..needed).find(|&at| found[at].is_none()) {
                let message = format!("the column `{}` is not there", columns[at]);
                let problem = record.problem(record.width(), message);
                return Err(problem.hint(format!("it has {}", columns[..needed].join(", "))));
            }
            places = Some(found);
            return Ok(());
        };
        let cells: Vec<&str> = record.cells().collect();
        let cell = |place: &Option<usize>| place.and_then(|at| cells.get(at).copied());
        let wrong = |message: &str| record.problem(0, message.to_owned());
        // Databases write NULL for what is not there.
        let values = places.map(|place| cell(&place).filter(|cell| *cell != "NULL").unwrap_or(""));
        take(values, &wrong)
    })?;
    match places {
        Some(_) => Ok(()),
        None => Err(Problem::new(Kind::Format, source.name(), "it has no headings")),
    }
}

/// An annotation as the tables have it.
struct Annotation {
    item: usize,
    entity: String,
}

/// Reads a folder with the tables.
pub(super) fn read(folder: &Path) -> Result<JudgementFile, Problem> {
    let mut file = JudgementFile::default();
    let mut texts: HashMap<String, usize> = HashMap::new();
    rows(folder, ORIGINAL_TABLES[0], ["doc_id", "doc_body"], 2, |[id, body], wrong| {
        let text = text_of(id, body).ok_or_else(|| {
            wrong(&format!("`{id}` is no id of a task text: document, `-`, begin, `_`, end"))
        })?;
        texts.insert(id.to_owned(), file.plan.texts.len());
        file.plan.texts.push(text);
        Ok(())
    })?;
    let annotations = annotations(folder, &texts, &mut file)?;
    verified(folder, &annotations, &mut file)?;
    controls(folder, &mut file)?;
    Ok(file)
}

/// A text by its id. Names of documents may have any characters.
fn text_of(id: &str, body: &str) -> Option<CampaignText> {
    let (document, offsets) = id.rsplit_once('-')?;
    let (begin, end) = offsets.split_once('_')?;
    let (begin, end): (u32, u32) = (begin.parse().ok()?, end.parse().ok()?);
    (begin <= end).then(|| CampaignText {
        document: document.to_owned(),
        dataset: String::new(),
        begin,
        end,
        words: body.to_owned(),
    })
}

fn annotations(
    folder: &Path,
    texts: &HashMap<String, usize>,
    file: &mut JudgementFile,
) -> Result<HashMap<String, Annotation>, Problem> {
    let mut known = HashMap::new();
    let columns = ["id", "document_id", "model_enum", "entity", "start_pos", "end_pos"];
    rows(
        folder,
        ORIGINAL_TABLES[1],
        columns,
        6,
        |[id, document, model, entity, start, end], wrong| {
            let Some(&text) = texts.get(document) else {
                return match document {
                    CONTROL => Ok(()),
                    other => Err(wrong(&format!("there is no document `{other}`"))),
                };
            };
            let begin = file.plan.texts[text].begin;
            let place = |cell: &str| cell.parse::<u32>().ok().and_then(|at| at.checked_add(begin));
            let (Some(start), Some(end)) = (place(start), place(end)) else {
                return Err(wrong(&format!("{start} and {end} are no offsets")));
            };
            if start >= end {
                return Err(wrong(&format!("the mention ends at {end} and begins at {start}")));
            }
            let entity = settled(entity);
            let item = file.plan.items.len();
            file.plan.items.push(VerifyItem {
                text,
                begin: start,
                end,
                link: LinkTarget::from(entity.clone()),
                kind: ItemKind::Real,
                stratum: String::new(),
                probability: 1.0,
                weight: 1.0,
            });
            file.plan.proposals.push(Proposal {
                item,
                source: model.to_owned(),
                spelled: None,
                confidence: None,
            });
            file.names.push(id.to_owned());
            match known.insert(id.to_owned(), Annotation { item, entity }) {
                None => Ok(()),
                Some(_) => Err(wrong(&format!("the annotation {id} is there twice"))),
            }
        },
    )?;
    Ok(known)
}

fn verified(
    folder: &Path,
    known: &HashMap<String, Annotation>,
    file: &mut JudgementFile,
) -> Result<(), Problem> {
    let columns = ["document_id", "user_id", "annotation_id", "modified_entity", "action"];
    rows(folder, ORIGINAL_TABLES[3], columns, 4, |[document, user, id, last, action], wrong| {
        let Some(annotation) = known.get(id) else {
            return match document {
                CONTROL => Ok(()),
                _ => Err(wrong(&format!("there is no annotation {id}"))),
            };
        };
        if user.is_empty() {
            return Err(wrong("nobody is named who judged"));
        }
        let last = settled(last);
        let action = match action {
            "" if last.is_empty() => VerifyAction::Remove,
            "" if last == annotation.entity => VerifyAction::Verify,
            "" => VerifyAction::Modify,
            said => said.parse().map_err(|error| wrong(&format!("{error}")))?,
        };
        let named = action == VerifyAction::Modify && !last.is_empty();
        let link = named.then(|| LinkTarget::from(last));
        let judgement = ItemJudgement::new(annotation.item, user, action);
        file.judgements.push(ItemJudgement { link, ..judgement });
        Ok(())
    })
}

/// Whether somebody passed, as three controls.
fn controls(folder: &Path, file: &mut JudgementFile) -> Result<(), Problem> {
    let mut people = Vec::new();
    let columns = ["user_id", "control_passed"];
    rows(folder, ORIGINAL_TABLES[4], columns, 2, |[user, passed], wrong| {
        match passed {
            "1" => people.push((user.to_owned(), true)),
            "0" => people.push((user.to_owned(), false)),
            "" => {}
            other => return Err(wrong(&format!("`{other}` is neither 0 nor 1"))),
        }
        Ok(())
    })?;
    if people.is_empty() {
        return Ok(());
    }
    let CampaignPlan { texts, items, keys, .. } = &mut file.plan;
    let text = texts.len();
    texts.push(CampaignText {
        document: CONTROL.to_owned(),
        dataset: String::new(),
        begin: 0,
        end: 3,
        words: String::new(),
    });
    let first = items.len();
    for at in 0..3 {
        keys.push(ItemKey {
            item: items.len(),
            actions: vec![VerifyAction::Verify],
            links: Vec::new(),
            explanation: String::new(),
            origin: "file".to_owned(),
            confirmed: true,
        });
        file.names.push(format!("{CONTROL}-{}", at + 1));
        items.push(VerifyItem {
            text,
            begin: at,
            end: at + 1,
            link: LinkTarget::Nil,
            kind: ItemKind::Control,
            stratum: String::new(),
            probability: 1.0,
            weight: 0.0,
        });
    }
    for (user, passed) in people {
        let action = if passed { VerifyAction::Verify } else { VerifyAction::Remove };
        let own = (first..first + 3).map(|item| ItemJudgement::new(item, user.as_str(), action));
        file.judgements.extend(own);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::VerifyReportRequest;
    use crate::work::Work;

    const ROWS: &str = "item,dataset,document,text,begin,end,link,sources,kind,accepts,worker,action,new_link\n\
        i1,,a-b,0-90,0,5,Q1,gold|one,,,ann,verify,\n\
        i1,,a-b,0-90,0,5,Q1,gold|one,,,ben,modify,\"Q, 5\"\n\
        i2,,a-b,0-90,7,9,Q2,one,,,ann,modify,\n\
        i3,,c,10-40,20,25,NIL,gold,,,ann,remove,\n\
        i3,,c,10-40,20,25,NIL,gold,,,ben,skip,\n\
        k1,,c,10-40,30,31,Q3,,control,verify,ann,verify,\n\
        k2,,c,10-40,31,32,Q3,,control,remove,ann,remove,\n\
        k3,,c,10-40,32,33,Q3,,control,modify|remove,ann,remove,\n\
        k1,,c,10-40,30,31,Q3,,control,verify,ben,remove,\n";

    fn read_back(file: &JudgementFile) -> JudgementFile {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in original_tables(file) {
            std::fs::write(folder.path().join(name), text).expect("written");
        }
        read(folder.path()).expect("the tables")
    }

    #[test]
    fn the_tables_come_back() {
        let source = Source::memory("j.csv", ROWS);
        let file = JudgementFile::read(&source).expect("judgements");
        let back = read_back(&file);
        // Proposals are judged apart there, so an item of two sources is two.
        assert_eq!(back.plan.proposals.len(), file.plan.proposals.len());
        let said: Vec<_> = { back.judgements.iter() }
            .map(|one| (one.worker.as_str(), one.action, one.link.clone()))
            .collect();
        let modified = Some(LinkTarget::Entity("Q, 5".into()));
        assert_eq!(said[0], ("ann", VerifyAction::Verify, None));
        assert_eq!(said[1], ("ann", VerifyAction::Verify, None), "of the other source");
        assert_eq!(said[2], ("ben", VerifyAction::Modify, modified));
        assert_eq!(said[4], ("ann", VerifyAction::Modify, None), "no better link was found");
        assert_eq!(back.plan.items[3].span(), Span::new(20, 25));
        assert_eq!(back.plan.texts[1].document, "c");
        // Written once more it is the same.
        assert_eq!(read_back(&back), back);

        let request = VerifyReportRequest {
            preset: "ding-2022".into(),
            trials: 20,
            ..VerifyReportRequest::default()
        };
        let work = Work::default();
        let of = |file: &JudgementFile| request.answer_of(file, &[], &work).expect("results");
        let (one, two) = (of(&file), of(&back));
        assert_eq!(one.results.accepted, 1);
        assert_eq!(two.results.accepted, 1, "who did not pass is left out again");
        for (one, two) in one.results.all.sources.iter().zip(&two.results.all.sources) {
            assert_eq!((&one.source, one.outcomes), (&two.source, two.outcomes));
        }
    }

    #[test]
    fn without_the_column_actions_are_those_of_the_original() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |at: usize, text: &str| {
            std::fs::write(folder.path().join(ORIGINAL_TABLES[at]), text).expect("written");
        };
        write(0, "doc_id,doc_body\n1_EU-100_120,EU rejects German call\n");
        write(
            1,
            "id,document_id,model_enum,mention,entity,start_pos,end_pos\n\
             7,1_EU-100_120,GT,EU,European Union,0,2\n8,1_EU-100_120,GT,German,Germany,11,17\n\
             9,1_EU-100_120,GT,call,Calling,18,20\n",
        );
        write(2, "id,document_id,model_enum,checked_out,completed\n");
        write(
            3,
            "id,document_id,user_id,model_enum,annotation_id,verified,mention,modified_entity\n\
             1,1_EU-100_120,u,GT,7,1,EU, en.wikipedia.org/wiki/European_Union\n\
             2,1_EU-100_120,u,GT,8,0,German,https://en.wikipedia.org/wiki/German%20people\n\
             3,1_EU-100_120,u,GT,9,0,call,\n4,control,u,GT,99,1,x,\n",
        );
        write(4, "user_id,control_passed,result_code\nu,1,abc\n");
        let file = read(folder.path()).expect("the tables");
        let said: Vec<_> =
            file.judgements.iter().map(|one| (one.action, one.link.clone())).collect();
        let people = Some(LinkTarget::Entity("German people".into()));
        assert_eq!(said[0], (VerifyAction::Verify, None));
        assert_eq!(said[1], (VerifyAction::Modify, people));
        assert_eq!(said[2], (VerifyAction::Remove, None));
        assert_eq!(file.plan.items[1].span(), Span::new(111, 117));

        write(4, "user_id,control_passed\nu,yes\n");
        let error = read(folder.path()).expect_err("neither").to_string();
        assert!(error.contains("user_information.csv:2"), "{error}");
        write(0, "doc_id\nx\n");
        let error = read(folder.path()).expect_err("no bodies").to_string();
        assert!(error.contains("doc_body"), "{error}");
    }
}

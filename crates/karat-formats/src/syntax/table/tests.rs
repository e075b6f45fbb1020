//! What all tables have in common, whatever they are stored as.

use crate::{FORMATS, Input, Problem, ReadOptions, ReadOutcome, Registry, Source};
use std::collections::BTreeMap;

fn named(columns: &[(&str, &str)]) -> BTreeMap<String, String> {
    columns.iter().map(|&(field, column)| (field.to_owned(), column.to_owned())).collect()
}

fn read(name: &str, content: &str, options: &ReadOptions) -> Result<ReadOutcome, Problem> {
    let input = Input::from(Source::memory(name, content));
    Registry::new(FORMATS).read(&input, None, options)
}

/// The notices of a table, each with its hint.
fn told(name: &str, content: &str, columns: &[(&str, &str)]) -> Vec<String> {
    let options = ReadOptions { columns: named(columns), ..ReadOptions::default() };
    let outcome = read(name, content, &options).unwrap();
    let shown = |notice: &karat_model::Notice| {
        let hint = notice.hint.as_ref().map(ToString::to_string).unwrap_or_default();
        format!("{}: {} | {hint}", notice.id, notice.message)
    };
    outcome.notices.iter().map(shown).collect()
}

#[test]
fn both_offsets_may_stand_in_one_column() {
    for (name, content) in [
        (
            "t.tsv",
            "filename\tlabel\tspan\ttext\tcode\nd\tLOC\t686-696\tten letter\tQ64\nd\tLOC\t2..5\tabc\t\n",
        ),
        ("t.csv", "doc,offsets,link\nd,\"[686, 696]\",Q64\nd,2:5,\n"),
        ("t.csv", "doc_id,offset,qid\nd,686-696,Q64\nd,2-5,\n"),
        (
            "t.jsonl",
            "{\"doc\": \"d\", \"span\": \"686-696\", \"link\": \"Q64\"}\n{\"doc\": \"d\", \"span\": \"2-5\"}\n",
        ),
    ] {
        let outcome = read(name, content, &ReadOptions::default()).unwrap();
        let spans: Vec<String> =
            outcome.corpus.annotations().iter().map(|a| a.span.to_string()).collect();
        assert_eq!(spans, ["686..696", "2..5"], "{content}");
    }
    let content = "doc,offset,link\nd,7,Q64\n";
    let problem = read("t.csv", content, &ReadOptions::default()).unwrap_err();
    assert_eq!(problem.message, "a mention that starts but does not end");
    let content = "doc,offset,link\nd,7-x,Q64\n";
    let problem = read("t.csv", content, &ReadOptions::default()).unwrap_err();
    assert_eq!(problem.message, "expected a whole number from 0 up, found “7-x”");
}

#[test]
fn columns_that_are_not_read_are_told() {
    let expected = ["unread-columns: columns `comment`, `entity` of `t` are not read | \
         say with `columns` which column is which, if one of them is meant"];
    let csv = ",doc,start,end,qid,entity,comment,length\n0,d,0,1,Q1,x,y,1\n";
    assert_eq!(told("t", csv, &[]), expected);
    assert_eq!(told("t", &csv.replace(',', "\t"), &[]), expected);
    let jsonl = r#"{"doc": "d", "start": 0, "end": 1, "qid": "Q1", "entity": "x", "comment": 1}"#;
    assert_eq!(told("t", jsonl, &[]), expected);
    // What the user says is meant is read, and what is left out on purpose is nothing to tell.
    let chosen = told("t", csv, &[("type", "comment"), ("text", ""), ("surface", "entity")]);
    assert!(chosen.is_empty(), "{chosen:?}");
}

#[test]
fn a_table_without_links_names_the_column_that_may_be_it() {
    let of = |columns: &str| {
        let cells = vec!["1"; columns.matches(',').count() + 1].join(",");
        told("t.csv", &format!("{columns}\n{cells}\n"), &[])
    };
    for (columns, nearest) in [
        ("doc,start,end,wikidata_url", "wikidata_url"),
        ("doc,start,end,id,remark,goldEntityURI", "goldEntityURI"),
        ("doc,start,end,concept", "concept"),
        ("doc,start,end,url", "url"),
    ] {
        let told = of(columns);
        let last = told.last().unwrap();
        assert!(
            last.starts_with("no-link-column: no column of `t.csv` is read as `link`, so"),
            "{last}"
        );
        assert!(last.contains(&format!("; the nearest is `{nearest}` | ")), "{last}");
        assert!(last.ends_with(&format!("`columns=link={nearest}`")), "{last}");
    }
    let told = of("doc,start,end,type");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].ends_with("linked to nothing | "), "{told:?}");
    let told = of("doc,start,end,remark");
    let hint = "linked to nothing | say which column is the link with `columns=link=...`";
    assert!(told[1].ends_with(hint), "{told:?}");
    for complete in ["doc,start,end,nil", "doc,start,end,link", "doc,text"] {
        assert_eq!(of(complete), [""; 0], "{complete}");
    }
}

#[test]
fn words_for_nil_are_nil_and_told() {
    let csv = "doc,start,end,link,type\nd,0,1,NULL,A\nd,2,3,nan,A\nd,4,5,NULL,NULL\nd,6,7,Q1,A\nd,8,9,NIL3,A\n";
    let outcome = read("t.csv", csv, &ReadOptions::default()).unwrap();
    let document = outcome.corpus.document("d").unwrap();
    let entities: Vec<Option<&str>> = document.mentions().map(|m| m.entity()).collect();
    assert_eq!(entities, [None, None, None, Some("Q1"), None]);
    assert!(document.mentions().take(3).all(|mention| mention.link() == karat_model::Link::NIL));
    assert_eq!(document.mention(2).unwrap().types().next(), Some("NULL"), "only links are NIL");
    assert_eq!(document.mention(4).unwrap().nil_cluster(), Some("3"));
    let [notice] = &outcome.notices[..] else { panic!("{:?}", outcome.notices) };
    assert_eq!(notice.message, "in `t.csv`, `NULL` (2 times), `nan` (once) were read as NIL");
    // A column that says NIL agrees with them.
    let stated = "doc,start,end,link,nil,cluster\nd,0,1,NULL,true,\nd,2,3,None,,7\n";
    let outcome = read("t.csv", stated, &ReadOptions::default()).unwrap();
    let document = outcome.corpus.document("d").unwrap();
    assert_eq!(document.mention(1).unwrap().nil_cluster(), Some("7"));
    assert!(document.mention(0).unwrap().link().is_nil() && outcome.notices.is_empty());
}

#[test]
fn rows_without_a_link_are_counted() {
    let told = |content: &str| told("t.csv", content, &[]);
    let found = told("doc,start,end,link\nd,0,1,\nd,2,3,Q1\nd,4,5,\ne,,,\n");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0]
            .starts_with("empty-links: in `t.csv`, 2 rows have no link and are mentions without")
    );
    assert!(told("doc,start,end,link,nil\nd,0,1,,\n").is_empty(), "the column says what is NIL");
}

#[test]
fn named_columns_are_for_tables_that_have_them() {
    let columns = named(&[("doc", "article"), ("link", "answer")]);
    let options = ReadOptions { columns, ..ReadOptions::default() };
    let outcome = read("t.csv", "article,start,end,answer\nd,0,1,Q1\n", &options).unwrap();
    assert!(outcome.used.columns && !outcome.used.unit && !outcome.used.end);
    // No table, and so nothing to name.
    let line = r#"{"id": 1, "title": "", "text": "Bonn", "labels": [{"id": 0, "span": [0, 4], "entity_id": "Q586"}]}"#;
    for (name, content) in [("g.jsonl", line), ("g.tsv", "d\t0\t4\tQ586\t1\tLOC\n")] {
        let outcome = read(name, content, &options).unwrap();
        assert!(!outcome.used.columns && outcome.corpus.annotations().len() == 1, "{name}");
    }
    // A table that has others is refused, unless they are only for those that have them.
    let usual = "doc,start,end,link\nd,0,1,Q1\n";
    let refused = read("t.csv", usual, &options).unwrap_err();
    assert!(refused.message.starts_with("no column `article`"), "{refused}");
    let lax = ReadOptions { columns_where_they_fit: true, ..options.clone() };
    let outcome = read("t.csv", usual, &lax).unwrap();
    assert!(!outcome.used.columns && outcome.corpus.document("d").is_some());
    let strange = read("t.csv", "a,b,c,d\nd,0,1,Q1\n", &lax).unwrap_err();
    assert_eq!(
        strange.message,
        read("t.csv", "a,b,c,d\nd,0,1,Q1\n", &options).unwrap_err().message
    );
}

#[test]
fn units_and_ends_are_of_use_where_there_are_offsets() {
    let options = ReadOptions {
        unit: Some(karat_model::OffsetUnit::Bytes),
        end: Some(karat_model::End::Inclusive),
        ..ReadOptions::default()
    };
    let used = |name: &str, content: &str| {
        let used = read(name, content, &options).unwrap().used;
        (used.unit, used.end)
    };
    assert_eq!(used("t.csv", "doc,start,end,link\nd,0,1,Q1\n"), (true, true));
    assert_eq!(used("t.tsv", "d\t0\t4\tQ586\t1\tLOC\n"), (true, true));
    let tokens =
        "-DOCSTART- (1 d)\nBonn\tB\tBonn\tBonn\thttp://en.wikipedia.org/wiki/Bonn\t1\t/m/1\n\n";
    assert_eq!(used("t.conll", tokens), (false, false));
    let input = Input::from(Source::memory("t.csv", "doc,start,end,link\nd,0,1,Q1\n"));
    let looks_like = |name| Registry::new(FORMATS).looks_like(&input, name, &options).unwrap();
    assert!(looks_like("csv") && !looks_like("neleval"));
}

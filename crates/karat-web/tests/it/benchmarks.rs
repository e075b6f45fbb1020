//! Walk 8: benchmarks. ELEVANT's page for the analysis of benchmarks, what GERBIL says of datasets, and what NIFify shows.

use crate::browser::{Screen, walk, walk_over};
use karat_web::workbench::Workbench;

const PLAIN: Screen = Screen { width: 1440, height: 900, scripts: false, dark: false };

/// The sample, and a part of it under another name.
fn two() -> Workbench {
    let sample = karat::sample::experiment().expect("the sample can be read");
    let gold = "{\"document\":\"d\",\"text\":\"Paris met Merkel\",\"annotations\":[{\"span\":[0,5],\"link\":\"Q90\",\"types\":[\"LOC\"]},{\"span\":[10,16],\"link\":\"Q567\",\"types\":[\"PER\"]}]}\n";
    Workbench::of([sample, crate::corpora::experiment("tiny", gold, &[("one", gold)])])
}

#[test]
fn elevant_5_2_groups_of_statistics_are_chosen() {
    walk_over(two(), PLAIN, |reader| async move {
        reader.open("/benchmarks").await?;
        let groups = reader.texts("form fieldset:first-of-type label").await?;
        for group in ["text", "mentions", "types", "words", "tags"] {
            assert!(groups.iter().any(|known| known == group), "{group} in {groups:?}");
        }
        assert_eq!(reader.texts("thead .group").await?, ["text", "mentions"]);
        reader.follow("input[value=types]").await?;
        reader.follow("input[value=mentions]").await?;
        reader.submit("form.tools button").await?;
        assert_eq!(reader.texts("thead .group").await?, ["text", "types"]);
        assert!(reader.path().await?.contains("groups=text"), "the address has the choice");
        Ok(())
    });
}

#[test]
fn elevant_5_2_percent_or_total() {
    walk_over(two(), PLAIN, |reader| async move {
        reader.open("/benchmarks?groups=types").await?;
        let total = reader.text("tbody tr:nth-child(2) td.n").await?;
        reader.follow("input[name=in][value=share]").await?;
        reader.submit("form.tools button").await?;
        let share = reader.text("tbody tr:nth-child(2) td.n").await?;
        assert!(!total.starts_with('.') && share.starts_with('.'), "{total} and {share}");
        Ok(())
    });
}

#[test]
fn elevant_5_2_benchmarks_are_filtered_and_sorted() {
    walk_over(two(), PLAIN, |reader| async move {
        reader.open("/benchmarks?benchmark=~^sam").await?;
        assert_eq!(reader.texts(".statcolumns tbody th").await?, ["sample"]);
        reader.open("/benchmarks").await?;
        assert_eq!(reader.texts(".statcolumns tbody th").await?, ["sample", "tiny"]);
        reader.follow(".statcolumns thead tr:nth-child(2) th:first-child a").await?;
        assert_eq!(
            reader.texts(".statcolumns tbody th").await?,
            ["sample", "tiny"],
            "the largest first"
        );
        reader.follow(".statcolumns thead tr:nth-child(2) th:first-child a").await?;
        assert_eq!(reader.texts(".statcolumns tbody th").await?, ["tiny", "sample"]);
        let sorted = reader.one("th[aria-sort]").await?.attr("aria-sort").await?;
        assert_eq!(sorted.as_deref(), Some("ascending"));
        Ok(())
    });
}

#[test]
fn elevant_5_2_tables_are_had_as_tsv_and_latex() {
    let site = crate::site::Site::of(two());
    let tsv = site.get("/benchmarks?format=tsv").text();
    assert!(tsv.starts_with("property\tlabel\tsample\ttiny"), "{tsv}");
    assert!(tsv.contains("figure\tdocuments\t14\t1"), "{tsv}");
    let latex = site.get("/benchmarks?format=latex").text();
    assert!(latex.contains("\\toprule") && latex.contains("tiny"), "{latex}");
}

#[test]
fn elevant_5_2_a_cell_opens_the_mentions_that_it_counts() {
    walk(PLAIN, |reader| async move {
        reader.open("/benchmarks/sample?show=statistics").await?;
        let cell = "a[href*='where=type=PER']";
        let number = reader.text(cell).await?;
        reader.follow(cell).await?;
        assert_eq!(reader.text(".caselist caption").await?, format!("{number} mentions"));
        assert_eq!(reader.all(".caselist tbody tr").await?.len().to_string(), number);
        // And a mention opens its text, where it is selected.
        let mention = reader.text(".caselist tbody tr:nth-child(2) .kw b").await?;
        reader.follow(".caselist tbody tr:nth-child(2) .kw a").await?;
        assert_eq!(reader.text(".e.on b").await?, mention);
        Ok(())
    });
}

#[test]
fn elevant_5_2_benchmarks_stand_side_by_side() {
    walk_over(two(), PLAIN, |reader| async move {
        reader.open("/benchmarks/sample?show=statistics").await?;
        reader.follow("a[href*='beside=tiny']").await?;
        let heads = reader.texts("#text thead th").await?;
        assert!(heads.ends_with(&["sample".to_owned(), "tiny".to_owned()]), "{heads:?}");
        let row = reader.texts("#text tbody tr:first-child td").await?;
        assert_eq!(row, ["14", "1"], "documents");
        Ok(())
    });
}

#[test]
fn gerbil_1_8_features_of_datasets() {
    walk(PLAIN, |reader| async move {
        reader.open("/benchmarks/sample?show=statistics").await?;
        let labels = reader.texts(".statistics tbody th").await?;
        for feature in [
            "documents",
            "words per document",
            "mentions",
            "mentions per document",
            "mentions per 100 words",
            "PER",
            "ORG",
            "LOC",
            "entities per form, mean over mentions",
        ] {
            assert!(labels.iter().any(|label| label == feature), "{feature} in {labels:?}");
        }
        reader.follow("a[href*='in=share']").await?;
        assert!(
            reader.text("a[href*='where=type=PER']").await?.starts_with('.'),
            "shares of types"
        );
        Ok(())
    });
}

#[test]
fn nifify_mentions_are_coloured_by_dimension() {
    walk(PLAIN, |reader| async move {
        for (dimension, word) in [
            ("base-form", "Full"),
            ("pos", "NounSingular"),
            ("overlap", "None"),
            ("reference", "Metonymic"),
        ] {
            reader.open(&format!("/benchmarks/sample/1?marks={dimension}")).await?;
            let markers = reader.texts("[data-text] a.k").await?;
            assert!(markers.iter().any(|marker| marker == word), "{word} in {markers:?}");
            let colours = reader.all("[data-text] a.k[class*=' q']").await?;
            assert!(!colours.is_empty(), "{dimension}");
            reader.follow("#legend > summary").await?;
            assert!(reader.text("#legend .categories").await?.contains(word), "{dimension}");
        }
        Ok(())
    });
}

#[test]
fn nifify_mentions_are_filtered_by_tags() {
    walk(PLAIN, |reader| async move {
        reader.open("/benchmarks/sample/1").await?;
        let all = reader.all("[data-text] a.k").await?.len();
        reader.follow(".narrow summary").await?;
        reader.one(".narrow input[name=where]").await?.send_keys("reference=Ref-Metonymic").await?;
        reader.submit(".narrow button").await?;
        let some = reader.all("[data-text] a.k").await?.len();
        assert!(0 < some && some < all, "{some} of {all}");
        reader.open("/benchmarks/sample?show=statistics").await?;
        reader.follow("a[href*='where=reference=']").await?;
        assert!(!reader.all(".caselist tbody tr").await?.is_empty());
        Ok(())
    });
}

#[test]
fn nifify_a_summary_counts_documents_annotations_tags_and_types() {
    walk(PLAIN, |reader| async move {
        reader.open("/benchmarks/sample?show=statistics").await?;
        let page = reader.text(".statgroups").await?;
        for words in [
            "documents",
            "mentions per document",
            "annotations with parts of alternatives",
            "el:Mnt-Full",
            "LOC",
            "base-form",
            "pos",
            "overlap",
            "reference",
        ] {
            assert!(page.contains(words), "{words}");
        }
        Ok(())
    });
}

#[test]
fn nifify_annotations_of_systems_are_coloured_with_the_reason() {
    walk(PLAIN, |reader| async move {
        reader.open("/benchmarks/sample/1").await?;
        let notes = reader.text(".notes").await?;
        assert!(notes.contains("wrong link, instead of Q142"), "{notes}");
        assert!(notes.contains("missed"), "{notes}");
        reader.open("/runs/popular@sample?show=cases&where=error=extra").await?;
        reader.follow(".caselist td.kw a").await?;
        assert!(reader.text(".notes").await?.contains("extra: gold has nothing here"));
        Ok(())
    });
}

#[test]
fn checks_show_what_a_fix_would_change() {
    let gold = "{\"document\":\"d\",\"text\":\"Paris met Merkel and Paris\",\"annotations\":[{\"span\":[0,6],\"link\":\"Q90\"},{\"span\":[10,16],\"link\":\"Q567\"},{\"span\":[21,24],\"link\":\"Q90\"}]}\n";
    let experiment = crate::corpora::experiment("flawed", gold, &[("one", gold)]);
    walk_over(Workbench::of([experiment]), PLAIN, |reader| async move {
        reader.open("/benchmarks/flawed?show=checks").await?;
        let edit = reader.text(".edit").await?;
        assert_eq!(edit, "span 0–6 Paris 0–5 Paris");
        reader.follow("td.n a[href*='check=word-boundary']").await?;
        assert!(
            reader.text(".caselist").await?.contains("only a person can decide")
                || !reader.all(".edit").await?.is_empty()
        );
        reader.follow(".caselist td.kw a").await?;
        assert_eq!(reader.text(".e.on b").await?, "Par");
        reader.open("/benchmarks/flawed?show=checks").await?;
        reader.follow("th a[href='/help/check/white-space']").await?;
        assert!(reader.text("main").await?.contains("trims the mention"));
        Ok(())
    });
}

#[test]
fn suspicions_are_ranked_with_systems_for_and_against() {
    walk(PLAIN, |reader| async move {
        reader.open("/benchmarks/sample?show=suspicions").await?;
        let rows = reader.texts(".caselist tbody tr").await?;
        assert!(rows.len() > 1, "{rows:?}");
        assert!(rows[0].contains(" of 3"), "{rows:?}");
        reader.follow(".caselist tbody tr:first-child td.kw a").await?;
        assert!(reader.path().await?.contains("at="));
        assert!(!reader.all(".e.on").await?.is_empty());
        Ok(())
    });
}

#[test]
fn a_benchmark_says_what_it_can_resolve() {
    walk(PLAIN, |reader| async move {
        reader.open("/benchmarks/sample?show=resolution").await?;
        assert!(
            reader.text("main").await?.contains("a comparison of two systems shows differences of")
        );
        let here = reader.texts(".resolution tr.on td").await?;
        let numbers: Vec<f64> = here.iter().filter_map(|text| text.parse().ok()).collect();
        assert!(numbers.len() > 1 && numbers.is_sorted(), "{here:?}");
        let rows = reader.all(".resolution tbody tr").await?;
        assert!(rows.len() > 4);
        Ok(())
    });
}

#[test]
fn help_says_what_names_mean() {
    walk(PLAIN, |reader| async move {
        for (address, words) in [
            ("/help/measure/link", "link"),
            ("/help/convention/elevant", "elevant"),
            ("/help/category/metonymy", "ELEVANT's family"),
            ("/help/format/nif", "NIF"),
            ("/help/check/word-boundary", "word"),
        ] {
            reader.open(address).await?;
            assert!(reader.text("main").await?.contains(words), "{address}");
        }
        reader.open("/help/check/nothing").await?;
        assert!(reader.text("main").await?.contains("nothing"));
        Ok(())
    });
}

#[test]
fn every_number_is_the_length_of_its_list() {
    use karat::collection::{CollectionStatsRequest, MentionsRequest, StatisticsCell};
    use karat::inputs::InputRequest;
    let workbench = two();
    for name in ["sample", "tiny"] {
        let gold = InputRequest::held(name);
        let request = CollectionStatsRequest {
            gold: vec![gold.clone()],
            ..CollectionStatsRequest::default()
        };
        let answer = workbench.answer(&request).expect("statistics");
        let groups = answer.groups();
        let rows = groups.iter().flat_map(|group| &group.rows).filter(|row| row.is_listed);
        let mut checked = 0;
        for row in rows {
            let Some(StatisticsCell::Count { count, .. }) = row.cells[0] else {
                panic!("{} {} is listed and no count", row.property, row.label)
            };
            let (property, label) = (row.property.clone(), row.label.clone());
            let request =
                MentionsRequest { gold: gold.clone(), property, label, ..Default::default() };
            let listed = workbench.answer(&request).expect("a list");
            assert_eq!(listed.total as u64, count, "{} {} of {name}", row.property, row.label);
            assert_eq!(listed.mentions.len(), listed.total.min(100));
            checked += 1;
        }
        assert!(checked > 15, "{checked} numbers of {name}");
    }
}

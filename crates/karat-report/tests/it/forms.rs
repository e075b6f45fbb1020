//! Every form, on the same tables and reports.

use karat_report::plot::{Axis, LinePlot, Series};
use karat_report::{
    Audience, CSV, Cell, Column, Deferred, FORMS, HTML, JSON, JSON_LINES, LATEX, MARKDOWN,
    OutputForm, RenderOptions, Report, ReportSection, TEXT, TSV, Table, form,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn table() -> Table {
    let mut table =
        Table::new([Column::text("system"), Column::count("mentions"), Column::number("F1", 2)]);
    table.row([Cell::from("a|b & <c>\t_"), Cell::from(12usize), Cell::from(0.375)]);
    table.row([Cell::from("empty"), Cell::from(0usize), Cell::from(f64::NAN)]);
    table
}

#[track_caller]
fn expect(form: &dyn OutputForm, text: &str) {
    assert_eq!(table().render(form, None), text);
}

#[test]
fn every_form_escapes_what_it_must() {
    expect(TSV, "system\tmentions\tF1\n\"a|b & <c>\t_\"\t12\t0.38\nempty\t0\t\n");
    expect(CSV, "system,mentions,F1\na|b & <c>\t_,12,0.38\nempty,0,\n");
    expect(
        JSON_LINES,
        "{\"system\":\"a|b & <c>\\t_\",\"mentions\":12,\"F1\":0.375}\n{\"system\":\"empty\",\"mentions\":0,\"F1\":null}\n",
    );
    expect(
        MARKDOWN,
        "| system | mentions | F1 |\n| --- | ---: | ---: |\n| a\\|b & \\<c>\t_ | 12 | 0.38 |\n| empty | 0 | – |\n",
    );
    expect(
        LATEX,
        "\\begin{tabular}{lrr}\n  \\toprule\n  system & mentions & F1 \\\\\n  \\midrule\n  a\\textbar{}b \\& \\textless{}c\\textgreater{}\t\\_ & 12 & 0.38 \\\\\n  empty & 0 & -- \\\\\n  \\bottomrule\n\\end{tabular}\n",
    );
    expect(
        HTML,
        "<table>\n<thead><tr><th>system</th><th class=\"number\">mentions</th><th class=\"number\">F1</th></tr></thead>\n<tbody>\n<tr><td>a|b &amp; &lt;c&gt;\t_</td><td class=\"number\">12</td><td class=\"number\">0.38</td></tr>\n<tr><td>empty</td><td class=\"number\">0</td><td class=\"number\">–</td></tr>\n</tbody>\n</table>\n",
    );
}

#[test]
fn what_could_steer_a_terminal_is_seen_and_data_stays_what_it_is() {
    let mut table = Table::new([Column::text("name\x1b[2J")]);
    table.row([Cell::from("a\x1b[31mb\x07")]);
    for form in FORMS.iter().filter(|form| !form.audience().is_data()) {
        let text = table.render(*form, None);
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
        assert_eq!(text.matches('\u{fffd}').count(), 3, "{text:?}");
    }
    assert_eq!(table.render(CSV, None), "name\x1b[2J\na\x1b[31mb\x07\n");
    assert_eq!(table.json()[0]["name\x1b[2J"], "a\x1b[31mb\x07");
}

#[test]
fn marks_are_raised_where_the_form_can() {
    let mut table = Table::new([Column::number("F1", 3)]);
    table.row([Cell::Marked { number: 0.5, marks: "a,b".to_owned() }]);
    for form in FORMS.iter().filter(|form| !form.audience().is_data()) {
        assert!(table.render(*form, None).contains("a,b"), "{} leaves marks out", form.name());
    }
    let html = table.render(HTML, None);
    assert!(html.contains("<td class=\"number\">0.500<sup>a,b</sup></td>"), "{html}");
    assert_eq!(table.render(CSV, None), "F1\n0.500\n");
    assert!(table.render(MARKDOWN, None).contains("| 0.500<sup>a,b</sup> |"));
    assert!(table.render(LATEX, None).contains("0.500\\textsuperscript{a,b} \\\\"));
    assert!(table.render(TEXT, None).contains("0.500 a,b"));
    assert_eq!(table.json()[0]["F1"], 0.5);
}

#[test]
fn numbers_are_numbers_for_programs() {
    let mut table = Table::new([
        Column::numbers("95%", 2),
        Column::numbers("other", 2),
        Column::number("threshold", 2),
    ]);
    table.row([
        Cell::Interval { low: 0.125, high: 0.5 },
        Cell::Named(vec![("accuracy".to_owned(), Some(0.625)), ("rest".to_owned(), None)]),
        Cell::Exact(0.0625),
    ]);
    assert_eq!(
        table.render(CSV, None),
        "95%,other,threshold\n0.12–0.50,accuracy=0.62 rest=-,0.0625\n"
    );
    let row = &table.json()[0];
    assert_eq!(row["95%"], json!([0.125, 0.5]));
    assert_eq!(row["other"], json!({"accuracy": 0.625, "rest": null}));
    assert_eq!(row["threshold"], 0.0625);
}

#[test]
fn details_are_for_programs_alone() {
    let mut table = table();
    let plain = table.render(TSV, None);
    table.detail("span", vec![3, 9]);
    table.detail("F1", "a column goes before a detail");
    let rows = table.json();
    let (last, others) = rows.as_array().unwrap().split_last().unwrap();
    assert_eq!(last["span"], json!([3, 9]));
    assert!(last["F1"].is_null());
    assert!(others.iter().all(|row| row.get("span").is_none()));
    assert_eq!(table.render(TSV, None), plain);
}

#[test]
fn markdown_stays_markdown_in_a_table_of_markdown() {
    let mut table = Table::new([Column::text("measure")]);
    table.row([Cell::Markdown("[`a|b`](#a)".to_owned())]);
    assert!(table.render(MARKDOWN, None).contains("| [`a\\|b`](#a) |"));
    assert!(table.render(TEXT, None).contains("[`a|b`](#a)"));
}

#[test]
fn a_small_probability_is_not_printed_as_none() {
    let mut table = Table::new([Column::probability("p", 3)]);
    table.row([Cell::from(0.0004)]);
    table.row([Cell::from(0.001)]);
    assert!(table.render(TEXT, None).ends_with("<0.001\n 0.001\n"));
    assert_eq!(table.render(CSV, None), "p\n0.0004\n0.001\n");
}

#[test]
fn json_keeps_full_precision_and_null() {
    let json = table().json();
    assert_eq!(json[0]["F1"], 0.375);
    assert!(json[1]["F1"].is_null());
}

#[test]
fn text_is_aligned() {
    let mut table = Table::new([Column::text("name"), Column::count("n")]);
    table.row(["a".into(), Cell::from(5usize)]);
    table.row(["bcdefg".into(), Cell::from(12345usize)]);
    let text = table.render(TEXT, None);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "name        n");
    assert_eq!(lines[2], "a           5");
    assert_eq!(lines[3], "bcdefg  12345");
}

/// A column with one word.
fn word(name: &str) -> Table {
    let mut table = Table::new([Column::text("word")]);
    table.row([Cell::from(name)]);
    table
}

/// A report with something in every place.
fn full() -> Report<'static> {
    let remarked = ReportSection {
        remarks: vec!["A remark on two.".to_owned()],
        ..ReportSection::new("Second & last", word("two"))
    };
    let series =
        Series { name: "s".into(), points: vec![(0.0, 0.5), (1.0, 0.7)], ..Series::default() };
    let plot = LinePlot {
        title: "Growth".into(),
        x: Axis::new("size"),
        y: Axis::new("F1"),
        series: vec![series],
        ..LinePlot::default()
    };
    Report {
        title: Some("A <title>".to_owned()),
        result: Some("Two is better.".to_owned()),
        sections: vec![
            ReportSection::new("First", Deferred::by(|| word("one"))),
            remarked,
            ReportSection::prose("Words\nof ours.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |"),
            ReportSection::lines("\x1b[1mbold\x1b[0m\n  line\n"),
        ],
        plots: vec![Box::new(plot)],
        remarks: vec!["One remark.".to_owned(), "Another | remark.".to_owned()],
        signatures: vec!["karat:0|a".to_owned(), "karat:0|b".to_owned()],
        ..Report::default()
    }
}

/// The text of a report, with the lines of its plot left out.
#[track_caller]
fn expect_report(form: &dyn OutputForm, text: &str) {
    let shown = full().render(form, &RenderOptions::default());
    let unplotted: String = match shown.text.split_once("Growth\n") {
        None => shown.text,
        Some((before, after)) => {
            let rest = after.split_once("\nkarat:0|a").unwrap().1;
            format!("{before}Growth ...\n\nkarat:0|a{rest}")
        }
    };
    assert_eq!(unplotted, text);
    assert!(shown.remarks.is_empty() && shown.signatures.is_empty());
}

#[test]
fn a_terminal_shows_everything() {
    expect_report(
        TEXT,
        "A <title>

Two is better.

First

word
─────
one

Second & last

word
─────
two

A remark on two.

Words of ours.

a  b
1  2

\x1b[1mbold\x1b[0m
  line

One remark.
Another | remark.

Growth ...

karat:0|a

karat:0|b
",
    );
}

#[test]
fn markdown_can_be_pasted() {
    expect_report(
        MARKDOWN,
        "A \\<title>

Two is better.

First

| word |
| --- |
| one |

Second & last

| word |
| --- |
| two |

A remark on two.

Words of ours.

| a | b |
| --- | --- |
| 1 | 2 |

    bold
      line

One remark.

Another \\| remark.

`karat:0|a`

`karat:0|b`
",
    );
}

#[test]
fn latex_names_its_package_and_comments_its_signatures() {
    expect_report(
        LATEX,
        "% needs \\usepackage{booktabs}
\\noindent\\textbf{A \\textless{}title\\textgreater{}}\\par

\\noindent Two is better.\\par

\\begin{tabular}{l}
  \\toprule
  \\multicolumn{1}{l}{\\textbf{First}} \\\\
  \\midrule
  word \\\\
  \\midrule
  one \\\\
  \\bottomrule
\\end{tabular}

\\begin{tabular}{l}
  \\toprule
  \\multicolumn{1}{l}{\\textbf{Second \\& last}} \\\\
  \\midrule
  word \\\\
  \\midrule
  two \\\\
  \\bottomrule
\\end{tabular}

A remark on two.

Words of ours.

\\begin{verbatim}
a  b
1  2
\\end{verbatim}

\\begin{verbatim}
bold
  line
\\end{verbatim}
\\par\\noindent{\\footnotesize One remark.\\par}
\\par\\noindent{\\footnotesize Another \\textbar{} remark.\\par}
% karat:0|a
% karat:0|b
",
    );
}

#[test]
fn html_draws_its_plots() {
    let html = full().render(HTML, &RenderOptions::default()).text;
    let (before, rest) = html.split_once("<figure>\n<svg").unwrap();
    let (_, after) = rest.split_once("</svg>\n</figure>\n").unwrap();
    assert_eq!(
        format!("{before}...\n{after}"),
        "<h1>A &lt;title&gt;</h1>
<p class=\"result\">Two is better.</p>
<h2>First</h2>
<table>
<thead><tr><th>word</th></tr></thead>
<tbody>
<tr><td>one</td></tr>
</tbody>
</table>

<h2>Second &amp; last</h2>
<table>
<thead><tr><th>word</th></tr></thead>
<tbody>
<tr><td>two</td></tr>
</tbody>
</table>

<p>A remark on two.</p>

<p>Words of ours.</p>
<pre>a  b
1  2</pre>

<pre>bold
  line</pre>
<p class=\"remark\">One remark.</p>
<p class=\"remark\">Another | remark.</p>
...
<p class=\"signature\">karat:0|a</p>
<p class=\"signature\">karat:0|b</p>
"
    );
}

#[test]
fn a_single_section_needs_no_title() {
    let report =
        Report { sections: vec![ReportSection::new("Title", word("one"))], ..Report::default() };
    for form in FORMS {
        let shown = report.render(*form, &RenderOptions::default()).text;
        assert!(!shown.contains("Title"), "{}: {shown}", form.name());
    }
}

#[test]
fn a_section_without_rows_is_left_out_where_that_goes_without_saying() {
    let empty = || Table::new([Column::text("empty")]);
    let report = Report {
        sections: vec![
            ReportSection::new("Title", word("one")),
            ReportSection::unless_empty("Optional", empty()),
        ],
        ..Report::default()
    };
    for form in FORMS {
        let shown = report.render(*form, &RenderOptions::default()).text;
        assert!(!shown.contains("Title") && !shown.contains("empty"), "{}: {shown}", form.name());
    }
    // A list of nothing is still a list.
    let shown = Report::of(empty()).render(CSV, &RenderOptions::default()).text;
    assert_eq!(shown, "empty\n");
}

#[test]
fn data_holds_values_and_hands_back_the_rest() {
    let report = full();
    for form in FORMS.iter().filter(|form| form.audience().is_data()) {
        let shown = report.render(*form, &RenderOptions::default());
        assert_eq!(shown.remarks, report.remarks, "{}", form.name());
        assert_eq!(shown.signatures, report.signatures, "{}", form.name());
    }
    let text = |form| report.render(form, &RenderOptions::default()).text;
    assert_eq!(text(CSV), "word\none\n\nword\ntwo\n");
    assert_eq!(text(JSON_LINES), "{\"word\":\"one\"}\n{\"word\":\"two\"}\n");
    let json: Value = serde_json::from_str(&text(JSON)).unwrap();
    assert_eq!(json, json!({"First": [{"word": "one"}], "Second & last": [{"word": "two"}]}));
}

#[test]
fn each_audience_is_shown_what_was_made_for_it() {
    let report = Report {
        page: vec![ReportSection::new("", word("page"))],
        rows: Some(word("rows").into()),
        record: Some(json!({"answer": "record"}).into()),
        ..Report::of(word("terminal"))
    };
    for form in FORMS {
        let shown = report.render(*form, &RenderOptions::default()).text;
        let expected = match form.audience() {
            Audience::Terminal => "terminal",
            Audience::Page => "page",
            Audience::Rows => "rows",
            Audience::Record => "record",
        };
        for word in ["terminal", "page", "rows", "record"] {
            assert_eq!(shown.contains(word), word == expected, "{}: {shown}", form.name());
        }
    }
}

#[test]
fn records_are_complete() {
    let report = Report {
        records: Some(vec![json!({"task": 1}), json!({"task": 2})].into()),
        signatures: vec!["karat:0".to_owned()],
        ..Report::of(word("one"))
    };
    let shown = report.render(JSON_LINES, &RenderOptions::default());
    assert_eq!(shown.text, "{\"task\":1}\n{\"task\":2}\n");
    assert!(shown.signatures.is_empty());
    assert_eq!(report.render(TSV, &RenderOptions::default()).text, "word\none\n");
}

#[test]
fn what_a_form_does_not_show_is_not_made() {
    let not_made = || -> Table { panic!("nobody asked for it") };
    let report = Report {
        rows: Some(Deferred::by(not_made)),
        record: Some(Deferred::by(|| panic!("nobody asked for it"))),
        ..Report::of(word("one"))
    };
    report.render(TEXT, &RenderOptions::default());
    let report = Report { rows: Some(word("one").into()), ..Report::of(Deferred::by(not_made)) };
    for form in [TSV, CSV, JSON, JSON_LINES] {
        report.render(form, &RenderOptions::default());
    }
}

#[test]
fn forms_are_told_apart_by_their_names() {
    let names: BTreeSet<&str> = FORMS.iter().map(|form| form.name()).collect();
    assert_eq!(names.len(), FORMS.len());
    for known in FORMS {
        assert_eq!(form(known.name()).map(OutputForm::name), Some(known.name()));
        assert!(!known.about().is_empty() && !known.extension().is_empty());
    }
    assert!(form("pdf").is_none());
}

/// What somebody may call a system to break out of a page or steer a terminal.
const HOSTILE: &str = "x\x1b[2J\r\n</table><script>|`\\end{verbatim}\\input{/etc/passwd}%$#";

#[test]
fn no_form_lets_data_become_markup() {
    let hostile = || HOSTILE.to_owned();
    let mut table = Table::new([Column::text(HOSTILE)]);
    table.row([Cell::from(HOSTILE)]);
    table.row([Cell::Marked { number: 0.5, marks: hostile() }]);
    let report = Report {
        title: Some(hostile()),
        result: Some(hostile()),
        sections: vec![ReportSection::new(HOSTILE, table), ReportSection::new("", word(HOSTILE))],
        remarks: vec![hostile()],
        signatures: vec![hostile()],
        ..Report::default()
    };
    for form in FORMS {
        let text = report.render(*form, &RenderOptions::default()).text;
        let name = form.name();
        if !form.audience().is_data() {
            assert!(
                !text.contains(|c: char| c.is_control() && c != '\n' && c != '\r'),
                "{name}: {text:?}"
            );
        }
        match name {
            "html" => assert!(!text.contains("<script>"), "{text}"),
            "latex" => {
                let printed = text.lines().filter(|line| !line.starts_with('%'));
                printed.for_each(|line| assert!(!line.contains("\\input{/"), "{line}"));
            }
            "md" => {
                let ours = ["\\<", "<sup>", "</sup>"];
                for line in text.lines().filter(|line| !line.starts_with('`')) {
                    let rest =
                        ours.iter().fold(line.to_owned(), |rest, ours| rest.replace(ours, ""));
                    assert!(!rest.contains('<'), "{line}");
                }
            }
            _ => {}
        }
    }
}

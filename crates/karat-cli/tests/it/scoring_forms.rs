//! The forms of scores: signatures in all of them, and columns that stay.

use crate::scoring::contest;
use snapbox::{assert_data_eq, str};

#[test]
fn forms_carry_the_signature() {
    for (form, expected) in [
        (
            "md",
            str![[r#"
exit code 0
-- stdout
| system | measure | tp | fp | fn | P | R | F1 |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
| good | link | 3 | 0 | 1 | 1.000 | 0.750 | 0.857 |

`karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@55298e`

"#]],
        ),
        (
            "latex",
            str![[r#"
exit code 0
-- stdout
% needs /usepackage{booktabs}
/begin{tabular}{llrrrrrr}
  /toprule
  system & measure & tp & fp & fn & P & R & F1 //
  /midrule
  good & link & 3 & 0 & 1 & 1.000 & 0.750 & 0.857 //
  /bottomrule
/end{tabular}
% karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@55298e

"#]],
        ),
        (
            "html",
            str![[r#"
exit code 0
-- stdout
<table>
<thead><tr><th>system</th><th>measure</th><th class="number">tp</th><th class="number">fp</th><th class="number">fn</th><th class="number">P</th><th class="number">R</th><th class="number">F1</th></tr></thead>
<tbody>
<tr><td>good</td><td>link</td><td class="number">3</td><td class="number">0</td><td class="number">1</td><td class="number">1.000</td><td class="number">0.750</td><td class="number">0.857</td></tr>
</tbody>
</table>
<p class="signature">karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@55298e</p>

"#]],
        ),
    ] {
        let line = format!("karat eval -g gold.tsv -s good.tsv -m link --trials 0 --format {form}");
        assert_data_eq!(contest().run(&line), expected);
    }
}

#[test]
fn tables_keep_their_columns() {
    let folder = contest();
    folder.write("nothing.tsv", b"d1\t0\t1\tQ1\t0.1\tLOC\n");
    folder.write("a=b@c.tsv", &folder.read("good.tsv"));
    assert_data_eq!(
        folder.run("karat eval -g gold.tsv -s empty=nothing.tsv -m link,disambiguation --format csv --threshold 0.5 -q"),
        str![[r#"
exit code 0
-- stdout
system,measure,tp,fp,fn,P,R,F1,score,value,low,high,counts
empty,link,0,0,4,,0,0,,,0,0,
empty,disambiguation,,,,,,,accuracy,,,,right=0 found=0
-- stderr
warning: `empty` says nothing about 1 of 2 documents; they count as empty
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:0.5|gold:gold@55298e|boot:doc,1000,seed=1,level=95

"#]]
    );
    assert_data_eq!(
        folder.run(
            "karat eval -g gold.tsv -s good.tsv -m link.p,link.r --group-by type --format tsv -q"
        ),
        str![[r#"
exit code 0
-- stdout
system	facet	label	measure	tp	fp	fn	P	R	F1	low	high
good			link	3	0	1	1	0.75	0.8571428571428571	0.6666666666666666	1
good	type	LOC	link	3	0	0	1	1	1	1	1
good	type	PER	link	0	0	1		0	0		
-- stderr
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@55298e|boot:doc,1000,seed=1,level=95

"#]]
    );
    assert_data_eq!(
        folder
            .run("karat eval -g gold.tsv -s poor.tsv -m link.f1 --set threshold=oracle --trials 0"),
        str![[r#"
exit code 0
-- stdout
system  link.f1  oracle threshold
──────────────────────────────────
poor      0.333  0.9

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:oracle|gold:gold@55298e
-- stderr
warning: `poor` has 1 document that `gold` does not know (`d3`); what it says there counts as wrong
warning: `poor` says nothing about 1 of 2 documents; they count as empty

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval -g gold.tsv -s good.tsv -m Link.F1 --group-by topic --trials 0"),
        str![[r#"
exit code 0
-- stdout
All documents

system  Link.f1
────────────────
good      0.857

By part

system  facet  label  measure  tp  fp  fn      P      R     F1
───────────────────────────────────────────────────────────────
good    topic  -      Link      3   0   1  1.000  0.750  0.857

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@55298e
-- stderr
note: no mention has a `topic`

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval -g gold.tsv -s ./a=b@c.tsv -m link.f1 --trials 0"),
        str![[r#"
exit code 0
-- stdout
system  link.f1
────────────────
a=b@c     0.857

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@55298e

"#]]
    );
}

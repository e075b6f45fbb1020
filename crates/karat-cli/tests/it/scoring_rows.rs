//! `karat eval` for programs: csv, tsv and jsonl.

use crate::scoring::contest;
use snapbox::{assert_data_eq, str};

/// One value in each column, with all its digits, and the interval of every score.
#[test]
fn rows_are_for_programs() {
    let folder = contest();
    let eval = "karat eval -g gold.tsv -s good=good.tsv -s poor.tsv -q";
    assert_data_eq!(
        folder.run(&format!("{eval} -m link,link.f1@macro,disambiguation,muc --format csv")),
        str![[r#"
exit code 0
-- stdout
system,measure,tp,fp,fn,P,R,F1,score,value,low,high,documents,counts
good,link,3,0,1,1,0.75,0.8571428571428571,,,0.6666666666666666,1,,
good,link@macro,,,,1,0.75,0.8333333333333333,,,0.6666666666666666,1,2,
good,link@macro@common,,,,1,0.75,0.8333333333333333,,,,,2,
good,disambiguation,,,,,,,accuracy,1,1,1,,right=3 found=3
good,disambiguation@common,,,,,,,accuracy,1,,,,right=2 found=2
good,muc,1,0,0,1,1,1,,,,,,
poor,link,1,3,3,0.25,0.25,0.25,,,0,0.4,,
poor,link@macro,,,,0.16666666666666669,0.25,0.13333333333333333,,,0,0.4000000000000001,3,
poor,link@macro@common,,,,0.33333333333333337,0.25,0.2,,,,,2,
poor,disambiguation,,,,,,,accuracy,0.5,,,,right=1 found=2
poor,disambiguation@common,,,,,,,accuracy,0.5,,,,right=1 found=2
poor,muc,0,1,1,0,0,0,,,,,,
-- stderr
warning: `poor` has 1 document that `gold` does not know (`d3`); what it says there counts as wrong
warning: `poor` says nothing about 1 of 2 documents; they count as empty
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@55298e|boot:doc,1000,seed=1,level=95

"#]]
    );
    assert_data_eq!(
        folder.run(&format!("{eval} -m link.f1,disambiguation.accuracy --format tsv")),
        str![[r#"
exit code 0
-- stdout
system	link.f1	link.f1_low	link.f1_high	disambiguation.accuracy	disambiguation.accuracy_low	disambiguation.accuracy_high
good	0.8571428571428571	0.6666666666666666	1	1	1	1
poor	0.25	0	0.4	0.5		
-- stderr
warning: `poor` has 1 document that `gold` does not know (`d3`); what it says there counts as wrong
warning: `poor` says nothing about 1 of 2 documents; they count as empty
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@55298e|boot:doc,1000,seed=1,level=95

"#]]
    );
    assert_data_eq!(
        folder.run(&format!("{eval} -m disambiguation --group-by type --format jsonl")),
        str![[r#"
exit code 0
-- stdout
{"system":"good","facet":null,"label":null,"measure":"disambiguation","tp":null,"fp":null,"fn":null,"P":null,"R":null,"F1":null,"score":"accuracy","value":1.0,"low":1.0,"high":1.0,"counts":{"right":3.0,"found":3.0}}
{"system":"good","facet":null,"label":null,"measure":"disambiguation@common","tp":null,"fp":null,"fn":null,"P":null,"R":null,"F1":null,"score":"accuracy","value":1.0,"low":null,"high":null,"counts":{"right":2.0,"found":2.0}}
{"system":"poor","facet":null,"label":null,"measure":"disambiguation","tp":null,"fp":null,"fn":null,"P":null,"R":null,"F1":null,"score":"accuracy","value":0.5,"low":null,"high":null,"counts":{"right":1.0,"found":2.0}}
{"system":"poor","facet":null,"label":null,"measure":"disambiguation@common","tp":null,"fp":null,"fn":null,"P":null,"R":null,"F1":null,"score":"accuracy","value":0.5,"low":null,"high":null,"counts":{"right":1.0,"found":2.0}}
{"system":"good","facet":"type","label":"LOC","measure":"disambiguation","tp":null,"fp":null,"fn":null,"P":null,"R":null,"F1":null,"score":"accuracy","value":1.0,"low":1.0,"high":1.0,"counts":{"right":3.0,"found":3.0}}
{"system":"good","facet":"type","label":"PER","measure":"disambiguation","tp":null,"fp":null,"fn":null,"P":null,"R":null,"F1":null,"score":"accuracy","value":null,"low":null,"high":null,"counts":{"right":0.0,"found":0.0}}
{"system":"poor","facet":"type","label":"LOC","measure":"disambiguation","tp":null,"fp":null,"fn":null,"P":null,"R":null,"F1":null,"score":"accuracy","value":0.5,"low":null,"high":null,"counts":{"right":1.0,"found":2.0}}
{"system":"poor","facet":"type","label":"PER","measure":"disambiguation","tp":null,"fp":null,"fn":null,"P":null,"R":null,"F1":null,"score":"accuracy","value":null,"low":null,"high":null,"counts":{"right":0.0,"found":0.0}}
-- stderr
warning: `poor` has 1 document that `gold` does not know (`d3`); what it says there counts as wrong
warning: `poor` says nothing about 1 of 2 documents; they count as empty
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@55298e|boot:doc,1000,seed=1,level=95

"#]]
    );
}

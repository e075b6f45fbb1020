//! `karat collection`.

use crate::folder::Folder;
use snapbox::{assert_data_eq, str};

const PAPER: &str = "karat collection model --cells 1289,1058,1019,1564,1477";

/// A command with each of these arguments, and what it says.
pub(crate) fn each(folder: &Folder, command: &str, arguments: &[&str]) -> String {
    let run = |arguments: &&str| {
        format!("$ {arguments}\n{}\n", folder.run(&format!("{command} {arguments}")))
    };
    arguments.iter().map(run).collect()
}

#[test]
fn the_model_of_the_paper() {
    let folder = Folder::new();
    assert_data_eq!(
        folder.run(&format!("{PAPER} --remove 10,50,100")),
        str![[r#"
exit code 0
-- stdout
The answers

   L     S     T     M     C  P link  R link   P NIL   R NIL       P       R      F1
─────────────────────────────────────────────────────────────────────────────────────
1289  1058  1019  1564  1477  0.8900  0.7905  0.8648  0.9444  0.8761  0.8749  0.8755

When queries go or come

change      queries  score        mean      sd    2.5%   97.5%   worst    best  drawn mean  drawn sd  drawn min  drawn max
───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
remove 10      2843  precision  0.8761  0.0004  0.8757  0.8770  0.8757  0.8797      0.8761    0.0004     0.8757     0.8778
remove 10      2843  recall     0.8749  0.0004  0.8744  0.8758  0.8744  0.8779      0.8749    0.0004     0.8744     0.8765
remove 10      2843  F1         0.8755  0.0004  0.8751  0.8764  0.8750  0.8788      0.8755    0.0004     0.8750     0.8772
remove 50      2803  precision  0.8761  0.0008  0.8746  0.8779  0.8737  0.8950      0.8761    0.0008     0.8739     0.8792
remove 50      2803  recall     0.8749  0.0008  0.8733  0.8766  0.8726  0.8905      0.8749    0.0008     0.8726     0.8780
remove 50      2803  F1         0.8755  0.0008  0.8740  0.8772  0.8732  0.8927      0.8755    0.0008     0.8733     0.8786
remove 100     2753  precision  0.8761  0.0012  0.8740  0.8785  0.8711  0.9159      0.8761    0.0012     0.8724     0.8803
remove 100     2753  recall     0.8749  0.0012  0.8729  0.8772  0.8703  0.9066      0.8749    0.0012     0.8710     0.8787
remove 100     2753  F1         0.8755  0.0012  0.8734  0.8779  0.8707  0.9113      0.8755    0.0012     0.8717     0.8795

karat:0.1.0|preset:mertens-2014|task:disambiguation|match:exact|assign:last-wins|threshold:none|cells:1289,1058,1019,1564,1477|draws:10000,seed=1

"#]]
    );
}

#[test]
fn additions_shares_and_a_budget() {
    let folder = Folder::new();
    assert_data_eq!(
        folder.run(&format!("{PAPER} --remove 5% --add 100 --deviation 0.002 --draws 0")),
        str![[r#"
exit code 0
-- stdout
The answers

   L     S     T     M     C  P link  R link   P NIL   R NIL       P       R      F1
─────────────────────────────────────────────────────────────────────────────────────
1289  1058  1019  1564  1477  0.8900  0.7905  0.8648  0.9444  0.8761  0.8749  0.8755

When queries go or come

change      queries  score        mean      sd    2.5%   97.5%   worst    best
───────────────────────────────────────────────────────────────────────────────
remove 143     2710  precision  0.8761  0.0014  0.8735  0.8790  0.8688  0.9310
remove 143     2710  recall     0.8749  0.0014  0.8723  0.8779  0.8683  0.9210
remove 143     2710  F1         0.8755  0.0014  0.8729  0.8784  0.8685  0.9260
add 100        2953  precision  0.8761  0.0011  0.8739  0.8782  0.8430  0.8808
add 100        2953  recall     0.8749  0.0011  0.8727  0.8771  0.8452  0.8791
add 100        2953  F1         0.8755  0.0011  0.8732  0.8776  0.8441  0.8799

How many can go

queries  recall  can go  sd of recall then
───────────────────────────────────────────
   2853  0.8749     269            0.00200

karat:0.1.0|preset:mertens-2014|task:disambiguation|match:exact|assign:last-wins|threshold:none|cells:1289,1058,1019,1564,1477

"#]]
    );
    assert_data_eq!(
        folder.run(&format!("{PAPER} --remove 100 --mix 0.5,0.8,0.9 --format csv")),
        str![[r#"
exit code 0
-- stdout
table,system,change,score,number,value
answers,,,,L,1289
answers,,,,S,1058
answers,,,,T,1019
answers,,,,M,1564
answers,,,,C,1477
answers,,,,P link,0.8899563318777293
answers,,,,R link,0.7905352986811481
answers,,,,P NIL,0.8647540983606558
answers,,,,R NIL,0.9443734015345269
answers,,,,P,0.87614059643409
answers,,,,R,0.8748685594111462
answers,,,,F1,0.8755041158810056
changes,,remove 100,precision,queries,2753
changes,,remove 100,precision,mean,0.8775715902211135
changes,,remove 100,precision,sd,0.0004784896284843332
changes,,remove 100,precision,2.5%,0.8769683207605673
changes,,remove 100,precision,97.5%,0.8786048825278953
changes,,remove 100,precision,worst,0.8769683207605673
changes,,remove 100,precision,best,0.8929247979920172
changes,,remove 100,recall,queries,2753
changes,,remove 100,recall,mean,0.8763074755362256
changes,,remove 100,recall,sd,0.00042480919397324806
changes,,remove 100,recall,2.5%,0.8757718852161278
changes,,remove 100,recall,97.5%,0.8772248456229568
changes,,remove 100,recall,worst,0.8757718852161278
changes,,remove 100,recall,best,0.8899382491827098
changes,,remove 100,F1,queries,2753
changes,,remove 100,F1,mean,0.8769390765196698
changes,,remove 100,F1,sd,0.0004516103688537339
changes,,remove 100,F1,2.5%,0.8763696946397496
changes,,remove 100,F1,97.5%,0.8779143217387095
changes,,remove 100,F1,worst,0.8763696946397496
changes,,remove 100,F1,best,0.8914290221406582
-- stderr
signature: karat:0.1.0|preset:mertens-2014|task:disambiguation|match:exact|assign:last-wins|threshold:none|cells:1289,1058,1019,1564,1477|mix:0.5,0.8,0.9

"#]]
    );
}

#[test]
fn a_real_system() {
    let folder = Folder::with_sample();
    assert_data_eq!(
        folder.run(
            "karat collection model -g sample/gold.karat.jsonl -s sample/systems/careful.karat.jsonl \
             -s sample/systems/popular.karat.jsonl --remove 10% --draws 100 --format json | head -60"
        ),
        str![[r#"
exit code 0
-- stdout
{
  "karat": "0.1.0",
  "signature": "karat:0.1.0|preset:mertens-2014|task:disambiguation|match:exact|assign:last-wins|threshold:none|gold:gold@27bfe6|draws:100,seed=1",
  "answers": [
    {
      "system": "careful",
      "L": 131,
      "S": 68,
      "T": 66,
      "M": 37,
      "C": 36,
      "P link": 0.9565217391304348,
      "R link": 0.5038167938931297,
      "P NIL": 0.36363636363636365,
      "R NIL": 0.972972972972973,
      "P": 0.8259457933370976,
      "R": 0.6071428571428571,
      "F1": 0.6998409884048181
    },
    {
      "system": "popular",
      "L": 131,
      "S": 88,
      "T": 68,
      "M": 37,
      "C": 34,
      "P link": 0.7472527472527473,
      "R link": 0.5190839694656488,
      "P NIL": 0.44155844155844154,
      "R NIL": 0.918918918918919,
      "P": 0.6799272156415014,
      "R": 0.6071428571428571,
      "F1": 0.6414770432206812
    }
  ],
  "changes": [
    {
      "system": "careful",
      "change": "remove 17",
      "queries": 151,
      "score": "precision",
      "mean": 0.826111874873238,
      "sd": 0.008009576553294687,
      "2.5%": 0.8146542515966968,
      "97.5%": 0.8449150102241505,
      "worst": 0.8005140554809429,
      "best": 0.8920140241527074,
      "drawn mean": 0.8258080294595067,
      "drawn sd": 0.008068466678333523,
      "drawn min": 0.8119212664550015,
      "drawn max": 0.8646386725856925
    },
    {
      "system": "careful",
      "change": "remove 17",
      "queries": 151,
      "score": "recall",
      "mean": 0.6071428571428571,
      "sd": 0.012680621026289873,
      "2.5%": 0.5827814569536424,

"#]]
    );
}

#[test]
fn impossible_models() {
    let folder = Folder::new();
    let refused = [
        "--cells 1,2,3",
        "--cells 5,6,1,1,1",
        "--cells 5,4,3,x,1",
        "--cells 99999999999999999999,1,1,1,1",
        "--cells 9000000000,1,1,1,1",
        "--cells 5,4,3,2,1 --remove 7",
        "--cells 5,4,3,2,1 --remove -7",
        "--cells 5,4,3,2,1 --remove 105%",
        "--cells 0,0,0,0,0 --add 5",
        "--cells 5,4,3,2,1 --remove 3 --mix 1,1,2",
        "--cells 5,4,3,2,1 --remove 3 --mix 0,1,1",
        "--cells 5,4,3,2,1 --deviation nan",
        "",
    ];
    assert_data_eq!(
        each(&folder, "karat collection model", &refused),
        str![[r#"
$ --cells 1,2,3
exit code 2
-- stderr
error: --cells has 3 numbers, not 5
  = help: write five whole numbers, L,S,T,M,C: gold links, those answered with a link, those answered rightly, gold NIL, those answered NIL

$ --cells 5,6,1,1,1
exit code 2
-- stderr
error: links answered with a link (6) cannot be more than gold links (5)
  = help: the order is L,S,T,M,C: gold links, those answered with a link, those answered rightly, gold NIL, those answered NIL

$ --cells 5,4,3,x,1
exit code 2
-- stderr
error: `x` in --cells is no count
  = help: write five whole numbers, L,S,T,M,C: gold links, those answered with a link, those answered rightly, gold NIL, those answered NIL

$ --cells 99999999999999999999,1,1,1,1
exit code 2
-- stderr
error: `99999999999999999999` in --cells is no count
  = help: write five whole numbers, L,S,T,M,C: gold links, those answered with a link, those answered rightly, gold NIL, those answered NIL

$ --cells 9000000000,1,1,1,1
exit code 2
-- stderr
error: 9000000001 queries are more than the 10000000 that the models are made for
  = help: divide all counts by the same number: shares are what matters

$ --cells 5,4,3,2,1 --remove 7
exit code 2
-- stderr
error: 7 of 7 queries cannot be removed: nothing would be left
  = help: remove fewer queries than there are

$ --cells 5,4,3,2,1 --remove -7
exit code 2
-- stderr
error: invalid value '-7' for '--remove <X,...>': expected a number of queries such as 100, or a share such as 5%

For more information, try '--help'.

$ --cells 5,4,3,2,1 --remove 105%
exit code 2
-- stderr
error: invalid value '105%' for '--remove <X,...>': expected a number of queries such as 100, or a share such as 5%

For more information, try '--help'.

$ --cells 0,0,0,0,0 --add 5
exit code 2
-- stderr
error: there are no queries, so that nobody knows what queries like these are
  = help: give counts that are not all 0

$ --cells 5,4,3,2,1 --remove 3 --mix 1,1,2
exit code 2
-- stderr
error: `1,1,2` are not three shares
  = help: write --mix a,b,c, each from 0 to 1: links of all, answered of the links, right of the NIL

$ --cells 5,4,3,2,1 --remove 3 --mix 0,1,1
exit code 2
-- stderr
error: links: 0 do not lie between 1 and 3
  = help: choose shares that the counts allow: of links among the changed queries, of links among these that were answered with a link, and of NIL that were answered NIL

$ --cells 5,4,3,2,1 --deviation nan
exit code 2
-- stderr
error: `NaN` is no standard deviation
  = help: write a small number that is not negative, as 0.005

$ 
exit code 2
-- stderr
error: there are no queries
  = help: give the counts with --cells L,S,T,M,C, or a gold standard and a system with --gold and --system


"#]]
    );
}

#[test]
fn what_benchmarks_are_made_of() {
    let folder = Folder::with_sample();
    folder.write("names.tsv", b"Paris\tQ90\nParis\tQ142\nthe river\tQ1653\nBerlin\tQ64\n");
    folder.write("counts.tsv", b"Q90\t100\nQ142\t7\n");
    assert_data_eq!(
        folder.run(
            "karat collection stats -g sample/gold.karat.jsonl -g careful=sample/systems/careful.karat.jsonl \
             --names names.tsv --counts counts.tsv"
        ),
        str![[r#"
exit code 0
-- stdout
In numbers

figure                                                    gold  careful
────────────────────────────────────────────────────────────────────────
documents                                                   14       13
documents with text                                         14       13
documents without mentions                                   0        0
words                                                      797      740
mentions                                                   168       87
mentions per document                                   12.000    6.692
mentions per 100 words                                  21.079   11.757
mentions per 100 words, mean over documents             21.581   11.887
linked                                                     131       71
NIL                                                         23       16
without an answer                                           14        0
share of linked mentions                                 0.780    0.816
optional                                                    22        0
annotations with parts of alternatives                     178       87
NIL clusters                                                12        5
entities                                                   101       66
forms                                                      149       81
entities per form, mean over forms                       1.069    1.030
entities per form, mean over mentions                    1.153    1.070
entities per form, mean over documents                   1.155    1.059
share of forms with several entities                     0.060    0.030
forms per entity, mean over entities                     1.228    1.030
forms per entity, mean over mentions                     1.427    1.056
forms per entity, mean over documents                    1.409    1.049
share of mentions with the form's most frequent entity   0.939    0.972
share of mentions with the entity's most frequent form   0.824    0.972
share of forms repeated in the document                  0.048    0.023
share of entities repeated in the document               0.191    0.028
dictionary: share of mentions it has (maximum recall)    0.030    0.046
dictionary: right entity among those of the form         0.023    0.056
dictionary: entities per form, mean over mentions        1.031    1.042
dictionary: entities per form, mean over documents       1.031    1.037
dictionary: names per entity, mean over mentions         1.000    1.000
dictionary: names per entity, mean over documents        1.000    1.000
dictionary: dominance of entities                        1.400    1.000
dictionary: dominance of forms                           1.400    1.000

By property

property      label                   gold  gold share  careful  careful share
───────────────────────────────────────────────────────────────────────────────
type          LOC                       62       0.348       37          0.425
type          PER                       46       0.258       20          0.230
type          MISC                      30       0.169       13          0.149
type          ORG                       26       0.146       17          0.195
type          DATETIME                   8       0.045        0          0.000
type          QUANTITY                   6       0.034        0          0.000
tag           el:PoS-NounSingular      162       0.910        –              –
tag           el:Olp-None              159       0.893        –              –
tag           el:Ref-Direct            143       0.803        –              –
tag           el:Mnt-Full               82       0.461        –              –
tag           el:Mnt-Short              41       0.230        –              –
tag           el:Mnt-CommonForm         23       0.129        –              –
tag           el:Mnt-NumericTemporal    14       0.079        –              –
tag           el:PoS-NounPlural         12       0.067        –              –
tag           el:Mnt-ProForm            11       0.062        –              –
tag           el:Olp-Minimal            11       0.062        –              –
tag           el:Ref-Anaphoric          11       0.062        –              –
tag           el:Ref-Metonymic          11       0.062        –              –
tag           el:Olp-Maximal             8       0.045        –              –
tag           el:Ref-Related             6       0.034        –              –
tag           el:Ref-Descriptive         5       0.028        –              –
tag           el:Mnt-Extended            4       0.022        –              –
tag           el:PoS-Adjective           4       0.022        –              –
tag           el:Mnt-Alias               3       0.017        –              –
tag           el:Ref-Metaphoric          2       0.011        –              –
base-form     el:Mnt-Full               82       0.461        –              –
base-form     el:Mnt-Short              41       0.230        –              –
base-form     el:Mnt-Extended            4       0.022        –              –
base-form     el:Mnt-Alias               3       0.017        –              –
base-form     el:Mnt-NumericTemporal    14       0.079        –              –
base-form     el:Mnt-CommonForm         23       0.129        –              –
base-form     el:Mnt-ProForm            11       0.062        –              –
pos           el:PoS-NounSingular      162       0.910        –              –
pos           el:PoS-NounPlural         12       0.067        –              –
pos           el:PoS-Adjective           4       0.022        –              –
overlap       el:Olp-None              159       0.893        –              –
overlap       el:Olp-Maximal             8       0.045        –              –
overlap       el:Olp-Minimal            11       0.062        –              –
reference     el:Ref-Direct            143       0.803        –              –
reference     el:Ref-Anaphoric          11       0.062        –              –
reference     el:Ref-Metaphoric          2       0.011        –              –
reference     el:Ref-Metonymic          11       0.062        –              –
reference     el:Ref-Related             6       0.034        –              –
reference     el:Ref-Descriptive         5       0.028        –              –
words         1                        127       0.713       65          0.747
words         2                         41       0.230       18          0.207
words         3                          7       0.039        3          0.034
words         4                          1       0.006        1          0.011
words         5                          2       0.011        0          0.000
case          lower case                41       0.230        7          0.080
case          no letter first            4       0.022        1          0.011
case          upper case               133       0.747       79          0.908
level         root                     168       0.944       87          1.000
level         child                     10       0.056        0          0.000
optional      optional                  22       0.124        0          0.000
unknown       NIL                       23       0.129       16          0.184
unknown       no mapping                 0       0.000        0          0.000
mention type  entity_named             110       0.618        0          0.000
mention type  entity_non_named          20       0.112        0          0.000
mention type  entity_unknown            21       0.118       16          0.184
mention type  coref_nominal              5       0.028        0          0.000
mention type  coref_pronominal           9       0.051        0          0.000
mention type  cannot be told            13       0.073       71          0.816
popularity    0-10%                     14       0.107        8          0.113
popularity    10-32.5%                  28       0.214       15          0.211
popularity    32.5-55%                  27       0.206       16          0.225
popularity    55-77.5%                  29       0.221       16          0.225
popularity    77.5-100%                 33       0.252       16          0.225

karat:0.1.0|gold:gold@27bfe6|gold:careful@edc231|names:@c68610|counts:@93f8ef

"#]]
    );
    assert_data_eq!(
        folder.run("karat collection stats -g sample/gold.karat.jsonl --format tsv | head -5"),
        str![[r#"
exit code 0
-- stdout
property	label	gold	gold share
figure	documents	14	
figure	documents with text	14	
figure	documents without mentions	0	
figure	words	797	
-- stderr
signature: karat:0.1.0|gold:gold@27bfe6

"#]]
    );
}

#[test]
fn a_benchmark_without_anything() {
    let folder = Folder::with(&[
        ("empty.karat.jsonl", "{\"document\":\"d1\"}\n"),
        ("names.tsv", "Paris\tQ90\nParis Q142\n"),
        ("counts.tsv", "Q90\tmany\n"),
    ]);
    assert_data_eq!(
        folder.run("karat collection stats -g empty.karat.jsonl"),
        str![[r#"
exit code 0
-- stdout
figure                                  empty
──────────────────────────────────────────────
documents                                   1
documents with text                         0
documents without mentions                  1
mentions                                    0
mentions per document                   0.000
linked                                      0
NIL                                         0
without an answer                           0
optional                                    0
annotations with parts of alternatives      0
NIL clusters                                0
entities                                    0
forms                                       0

karat:0.1.0|gold:empty@89470c
-- stderr
note: `empty` has no texts: nothing can be said about words; --documents names a corpus that has them

"#]]
    );
    assert_data_eq!(
        folder.run("karat collection stats -g empty.karat.jsonl --names names.tsv"),
        str![[r#"
exit code 2
-- stderr
error: expected a name, a tab and an entity
 --> names.tsv:2:1
  |
2 | Paris Q142
  | ^^^^^^^^^^
  |
  = help: each line has two fields, separated by a tab

"#]]
    );
    assert_data_eq!(
        folder.run("karat collection stats -g empty.karat.jsonl --counts counts.tsv"),
        str![[r#"
exit code 2
-- stderr
error: `many` is no count
 --> counts.tsv:1:5
  |
1 | Q90→many
  |     ^^^^
  |
  = help: write a whole number that is not negative

"#]]
    );
}

#[test]
fn how_many_are_enough() {
    let folder = Folder::with_sample();
    let systems = "-g sample/gold.karat.jsonl -s sample/systems/careful.karat.jsonl -s sample/systems/popular.karat.jsonl";
    assert_data_eq!(
        folder.run(&format!(
            "karat collection size {systems} --by document --orders 5 --trials 200 --at 5,10,100% --growth growth.svg \
             --separation separation.svg --power power.svg && head -c 4 growth.svg separation.svg power.svg"
        )),
        str![[r#"
exit code 0
-- stdout
Now, and how many an interval of 0.02 needs

system      F1    low   high   width  documents  needed  more  p against the best  behind  discordant  documents for a power of 80%
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
careful  0.700  0.627  0.771  0.1446         14     732   718                   –       –           –                             –
popular  0.641  0.575  0.691  0.1153         14     466   452               0.055  0.0584      0.3095                            35

As the set grows, in the order given

documents  queries  F1 careful  F1 popular  not below the best
───────────────────────────────────────────────────────────────
        5       56       0.726       0.662                   1
       10      120       0.727       0.653                   1
       14      168       0.700       0.641                   1

In random orders: median and 95% band

documents  queries  F1 careful           F1 popular           not below the best
─────────────────────────────────────────────────────────────────────────────────
        5       57  0.695 (0.676–0.716)  0.642 (0.603–0.653)  1 (0–1)
       10      125  0.700 (0.695–0.719)  0.638 (0.622–0.672)  1 (0–1)
       14      168  0.700 (0.700–0.700)  0.641 (0.641–0.641)  1 (0–1)

karat:0.1.0|preset:mertens-2014|task:disambiguation|match:exact|assign:last-wins|threshold:none|gold:gold@27bfe6|boot:doc,200,seed=1,level=95|orders:5
==> growth.svg <==
<svg
==> separation.svg <==
<svg
==> power.svg <==
<svg
"#]]
    );
    // Systems are counted: there is no fifth of one.
    let separation = String::from_utf8(folder.read("separation.svg")).unwrap();
    assert!(
        separation.contains(">1</text>") && !separation.contains(">0.2</text>"),
        "{separation}"
    );
    let refused =
        ["--width 0", "--trials 0", "--at 100000", "--at x", "-g other=sample/gold.karat.jsonl"];
    assert_data_eq!(
        each(&folder, &format!("karat collection size {systems}"), &refused),
        str![[r#"
$ --width 0
exit code 2
-- stderr
error: `0` is no width of an interval
  = help: write a share above 0, as --width 0.02

$ --trials 0
exit code 2
-- stderr
error: no samples are to be drawn
  = help: give --trials a number, 100 or more

$ --at 100000
exit code 2
-- stderr
error: the set cannot be looked at with 100000 of 168
  = help: --at takes sizes from 1 to everything; what is not there cannot be drawn

$ --at x
exit code 2
-- stderr
error: invalid value 'x' for '--at <N,...>': expected a number of queries such as 100, or a share such as 5%

For more information, try '--help'.

$ -g other=sample/gold.karat.jsonl
exit code 2
-- stderr
error: there is more than one test set
  = help: one grows at a time: give one --gold


"#]]
    );
}

#[test]
fn the_number_of_threads_changes_no_digit() {
    let folder = Folder::with_sample();
    let run = |threads: usize| {
        folder.run(&format!(
            "RAYON_NUM_THREADS={threads} karat collection size -g sample/gold.karat.jsonl \
             -s sample/systems/careful.karat.jsonl -s sample/systems/popular.karat.jsonl --orders 3 --trials 100"
        ))
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn the_paper_comes_out() {
    let folder = Folder::new();
    let shown = folder.run("karat reproduce mertens-2014");
    assert!(shown.starts_with("exit code 0"), "{shown}");
    assert!(shown.contains(", 4 are slips of the paper, 0 do not,"), "{shown}");
}

#[test]
fn the_scores_of_queries() {
    let folder = Folder::with_sample();
    assert_data_eq!(
        folder.run(
            "karat eval -g sample/gold.karat.jsonl -s sample/systems/careful.karat.jsonl --preset mertens-2014"
        ),
        str![[r#"
exit code 0
-- stdout
system   measure     tp  fp  fn      P      R     F1  95%          counts
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
careful  query-link  66   3  65  0.957  0.504  0.660  0.555–0.744  –
careful  query-nil   36  63   1  0.364  0.973  0.529  0.397–0.642  –
careful  query        –   –   –  0.826  0.607  0.700  0.625–0.759  right-link=66 wrong-link=2 link-as-nil=63 right-nil=36 nil-as-link=1

karat:0.1.0|preset:mertens-2014|task:disambiguation|match:exact|assign:last-wins|threshold:none|gold:gold@27bfe6|boot:doc,1000,seed=1,level=95

"#]]
    );
}

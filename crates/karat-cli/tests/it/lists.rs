//! What there is: formats, checks, and the demo that shows them at work.

use crate::folder::Folder;
use snapbox::{assert_data_eq, str};

#[test]
fn the_list_of_formats() {
    let folder = Folder::new();
    assert_data_eq!(
        folder.run(r#"karat formats"#),
        str![[r#"
exit code 0
-- stdout
name             read  write  format                                          offsets
──────────────────────────────────────────────────────────────────────────────────────────────────────────
neleval          yes   yes    neleval / TAC TSV                               code points, end inclusive
karat-jsonl      yes   yes    karat JSONL                                     code points, end exclusive
elevant          yes   yes    ELEVANT article JSONL                           code points, end exclusive
simple-jsonl     yes   yes    ELEVANT simple JSONL                            code points, end exclusive
elevant-markup   yes   yes    ELEVANT annotation markup                       code points, end exclusive
nif              yes   yes    NIF 2.0 (GERBIL)                                code points, end exclusive
nif-categorised  yes   yes    NIF of the categorised datasets                 code points, end exclusive
aida-conll       yes   yes    AIDA-CoNLL                                      tokens, end exclusive
cne-release      yes   yes    conll03_nel_eval release TSV                    tokens, end exclusive
tac              yes   yes    TAC KBP entity linking 2009-2014                code points, end inclusive
tac15            yes   yes    TAC KBP entity discovery and linking 2015-2017  code points, end inclusive
conll-coref      yes          CoNLL-2011 and CoNLL-2012 coreference           tokens, end exclusive
wned             yes   yes    WNED XML with raw texts                         code points, end exclusive
hipe             yes   yes    HIPE-2020 and HIPE-2022 TSV                     tokens, end exclusive
pubtator         yes   yes    PubTator                                        code points, end exclusive
bioc-xml         yes   yes    BioC XML                                        code points, end exclusive
bioc-json        yes   yes    BioC JSON                                       code points, end exclusive
brat             yes   yes    brat standoff                                   code points, end exclusive
label-studio     yes   yes    Label Studio JSON                               code points, end exclusive
web-annotation   yes   yes    W3C Web Annotation                              code points, end exclusive
zelda            yes          ZELDA                                           code points, end exclusive
kilt             yes          KILT JSONL                                      code points, end exclusive
blink            yes          BLINK JSONL                                     code points, end exclusive
refined          yes          ReFinED spans                                   code points, end exclusive
rel              yes          REL output                                      code points, end exclusive
mewsli           yes          Mewsli-9                                        code points, end exclusive
belb             yes          BELB JSONL                                      code points, end exclusive
spacy            yes          spaCy DocBin                                    code points, end exclusive
llm-markup       yes          Language-model markup                           code points, end exclusive
llm-json         yes          Language-model JSON                             code points, end exclusive
webanno-tsv      yes   yes    WebAnno TSV 3 (INCEpTION)                       UTF-16 units, end exclusive
conllu           yes          CoNLL-U with entities                           tokens, end exclusive
clean-conll      yes          CleanCoNLL                                      tokens, end exclusive
pubannotation    yes   yes    PubAnnotation JSON                              code points, end exclusive
prodigy          yes          Prodigy JSONL                                   code points, end exclusive
mewsli-x         yes          Mewsli-X                                        code points, end exclusive
n3-xml           yes          N3 XML                                          code points, end exclusive
gerdaq           yes          GERDAQ                                          code points, end exclusive
erd              yes          ERD 2014 (queries)                              code points, end exclusive
conel            yes          ConEL-22                                        code points, end exclusive
duel             yes          DuEL and CCKS                                   code points, end exclusive
geo-xml          yes          LGL, TR-News and GeoVirus                       code points, end exclusive
mhercl           yes          MHERCL TSV                                      tokens, end exclusive
csv              yes   yes    CSV table                                       code points, end exclusive
tsv              yes   yes    TSV table                                       code points, end exclusive
jsonl            yes   yes    JSONL table                                     code points, end exclusive
nested-jsonl     yes          JSONL with a list of mentions per document      code points, end exclusive
parquet          yes   yes    Parquet table                                   code points, end exclusive
arrow            yes   yes    Arrow IPC table                                 code points, end exclusive

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat formats nif"#),
        str![[r#"
exit code 0
-- stdout
nif: NIF 2.0 (GERBIL)

RDF in Turtle: a `nif:Context` with its text is a document, and a `nif:Phrase` that refers to it is
a mention with `itsrdf:taIdentRef` for its link, in code points with exclusive end. The first link
is the answer and further ones are just as right; no link is no answer, and an IRI with
`/notInWiki/` or `/unknown_entity/` is NIL. Statements may come in any order and in several pieces;
offsets may stand in the IRI only (`#char=0,6`, `#offset_0_6`). A bare id such as `Q64` is written
as `urn:karat:id:Q64`.

access                 read and written, one file
extensions             ttl, nif
offsets                code points, end exclusive
keeps                  text, empty documents, sentences, unlinked, nil, nil clusters, confidence,
                       equivalents, type, types, tags, overlaps, empty spans
document attributes    none
annotation attributes  comment, derived
reference              NIF 2.0 core ontology; GERBIL, Usbeck et al. 2015

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat formats zelda"#),
        str![[r#"
exit code 0
-- stdout
zelda: ZELDA

Either one JSON object per line, `{"id", "text", "index": [[start, end]], "wikipedia_titles",
"wikipedia_ids"}`, or columns: `-DOCSTART-`, a line `# id`, and one token per row with `B-` or `I-`
before the Wikipedia id and the title. The title is the link and the id an attribute. The `bracket`
of a JSON line, or what follows a tab in `# id`, is the difficulty of the document (cweb and wiki
only). In the columns the text is the tokens joined by single spaces, so offsets differ from the
JSON lines.

access                 read only
extensions             zelda.jsonl
offsets                code points, end exclusive
keeps                  -
document attributes    difficulty
annotation attributes  wikipedia_id
reference              flairNLP/zelda, README; Milich and Akbik 2023

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat formats --format md | head -3"#),
        str![[r#"
exit code 0
-- stdout
| name | read | write | format | offsets |
| --- | --- | --- | --- | --- |
| neleval | yes | yes | neleval / TAC TSV | code points, end inclusive |

"#]]
    );
}

#[test]
fn the_list_of_checks() {
    let folder = Folder::new();
    assert_data_eq!(
        folder.run(r#"karat validate --list"#),
        str![[r#"
exit code 0
-- stdout
check          severity  what it looks for                     fix
────────────────────────────────────────────────────────────────────────────────────────────────────
coverage       error     With a gold standard: a document the  –
                         gold does not know, a gold document
                         without output, or a text that
                         differs from the gold's. White space
                         at the end of a text and masked
                         characters (`*`) move no offset, so
                         that they are only a note.
alternatives   error     An annotation that is, directly or    –
                         through others, a part of itself, or
                         a part of one that is not there, so
                         that the mention has no root and
                         would vanish from every evaluation.
duplicate      warning   Two annotations of a document have    removes all but the first
                         the same span and the same link.
                         Most conventions count the second as
                         a false positive.
white-space    warning   A mention starts or ends with white   trims the mention, or removes it if
                         space, or is nothing but white        nothing is left
                         space.
word-boundary  warning   A mention starts or ends inside a     –
                         word. Scripts that are written
                         without spaces are left alone.
crossing       note      Two mentions overlap and neither      –
                         contains the other. It is legal, but
                         no overlap tag describes it and
                         token formats cannot hold it.
link-shape     warning   A link is empty, has white space at   trims white space and decodes
                         its edges, contains the replacement   escapes; with gold or a knowledge
                         character U+FFFD, or an escape such   base at hand, puts back lost letters
                         as `/u00e9` that was never decoded.   where only one link fits; the rest
                         Such a link equals no right one.      needs a person
link-target    warning   With a knowledge base: a link that    replaces a redirect by what it leads
                         it does not know, one that is a       to
                         redirect, or one that leads to a
                         page that only lists what a name may
                         mean.
tag-name       warning   A tag with the prefix of one of the   writes a name that differs in its
                         three vocabularies (`el:`, `fel:`,    capitals as it should be, and mixed
                         `mnt:`) must be one of its names,     tags as `el:`
                         and a mention should have its tags
                         from one vocabulary:
                         `fel:CommonForm` beside
                         `el:Olp-None` is understood here and
                         nowhere else.
tag-shape      warning   An annotation with category tags      leaves one of two tags that say the
                         must have exactly one for each of     same; which of others is right needs
                         base form, part of speech, overlap    a person
                         and reference (Rosales-Méndez et al.
                         2019, section 4); in the older
                         scheme of `mnt:AntecedentRf` the
                         reference may be missing. Where most
                         annotations have category tags, all
                         should.
overlap-tag    warning   The overlap tag of a mention must     replaces the tag
                         follow from the spans of its
                         document: None, Maximal (contains
                         another), Minimal (is contained) or
                         Intermediate (both). Crossing spans
                         do not count, and alternatives on
                         one span are one mention.
pro-form       warning   A pro-form is anaphoric, and an       makes the reference of a pro-form
                         anaphoric mention is a pro-form       anaphoric; what an anaphoric mention
                         (Rosales-Méndez et al. 2019; it       is needs a person
                         holds in all of their data).
descriptive    warning   A descriptive reference describes     –
                         and does not name, so its base form
                         is a common form.
tag-agreement  warning   Alternatives of one mention are the   –
                         same words in the same place, so
                         they share part of speech and
                         overlap; base form and reference may
                         differ.
antecedent     warning   In the older vocabulary               sets the tag that follows from the
                         (`mnt:AntecedentRf`,                  order of the document, or drops it
                         `mnt:CoreferenceRf`): a pro-form is
                         a coreference; the first mention of
                         an entity in a document is the
                         antecedent, later ones are
                         coreferences; common and numeric
                         forms carry neither tag.

"#]]
    );
}

#[test]
fn the_demo() {
    let folder = Folder::new();
    assert_data_eq!(
        folder.run(r#"karat demo"#),
        str![[r#"
exit code 0
-- stdout
The sample: a gold standard and the output of three invented systems

corpus   documents  annotations  linked  NIL  clusters  entities  optional  alternatives
─────────────────────────────────────────────────────────────────────────────────────────
gold            14          178     141   23        12       105         9             8
spotter         14          165     149   16         8       126         0             0
careful         13           87      71   16         5        66         0             0
popular         14          114     103   11         6        87         0             0

Checked against the text, the tag scheme and the gold

corpus   findings
───────────────────────────────────
gold     nothing to complain about
spotter  nothing to complain about
careful  1 coverage
popular  nothing to complain about

Scored in karat's own convention, with 95% intervals; fourteen texts say little

system   measure  tp  fp  fn      P      R     F1  95%
───────────────────────────────────────────────────────────────
spotter  link     72  64  52  0.529  0.581  0.554  0.448–0.644
spotter  mention  98  52  48  0.653  0.671  0.662  0.595–0.721
spotter  nil       8   7  14  0.533  0.364  0.432  0.263–0.571
spotter  tag      82  49  21  0.626  0.796  0.701  0.597–0.798
careful  link     64   5  60  0.928  0.516  0.663  0.556–0.753
careful  mention  80   5  66  0.941  0.548  0.693  0.587–0.783
careful  nil      11   5  11  0.688  0.500  0.579  0.333–0.745
careful  tag      64   4  39  0.941  0.621  0.749  0.636–0.842
popular  link     66  32  58  0.673  0.532  0.595  0.527–0.667
popular  mention  96  11  50  0.897  0.658  0.759  0.705–0.818
popular  nil      10   1  12  0.909  0.455  0.606  0.364–0.774
popular  tag      63  29  40  0.685  0.612  0.646  0.576–0.717

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:sample@27bfe6|boot:doc,1000,seed=1,level=95

What went wrong

system   correct link  correct nil  wrong-link  link-as-nil  nil-as-link  missing  extra
─────────────────────────────────────────────────────────────────────────────────────────
spotter            72            8          13            3            2       48     53
careful            64           11           2            2            1       66      5
popular            66           10          17            1            2       50     13

One document, with its gold annotations: [mention link], NIL for what is in no knowledge base

[Geneva Q71], [12 March DATETIME] - [Paris Q142] refused to sign the draft treaty on
[Thursday DATETIME], and [London Q145] asked for [two more weeks QUANTITY]. [The White
House Q48525] called the delay regrettable. Diplomats at the [United Nations Q1065] had
expected the [French Q121842] to give way. [Armand Tellier NIL:tellier], who led the
[French Q142] delegation, said [he NIL:tellier] would take the matter to the [Security
Council Q37470]. [Barack Obama Q76], who had once praised [Tellier NIL:tellier], gave no
comment.

Try next:
  karat demo --export sample                                                   writes these files
  karat eval -g sample/gold.karat.jsonl -s sample/systems/careful.karat.jsonl  scores one system
  karat validate sample/systems/* --gold sample/gold.karat.jsonl               checks them
  karat convert sample/gold.karat.jsonl gold.ttl                               turns them into NIF
  karat formats                                                                lists what karat reads and writes

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:sample@27bfe6|boot:doc,1000,seed=1,level=95

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat demo --format tsv"#),
        str![[r#"
exit code 0
-- stdout
system	measure	tp	fp	fn	P	R	F1	95%
spotter	link	72	64	52	0.529	0.581	0.554	0.448–0.644
spotter	mention	98	52	48	0.653	0.671	0.662	0.595–0.721
spotter	nil	8	7	14	0.533	0.364	0.432	0.263–0.571
spotter	tag	82	49	21	0.626	0.796	0.701	0.597–0.798
careful	link	64	5	60	0.928	0.516	0.663	0.556–0.753
careful	mention	80	5	66	0.941	0.548	0.693	0.587–0.783
careful	nil	11	5	11	0.688	0.500	0.579	0.333–0.745
careful	tag	64	4	39	0.941	0.621	0.749	0.636–0.842
popular	link	66	32	58	0.673	0.532	0.595	0.527–0.667
popular	mention	96	11	50	0.897	0.658	0.759	0.705–0.818
popular	nil	10	1	12	0.909	0.455	0.606	0.364–0.774
popular	tag	63	29	40	0.685	0.612	0.646	0.576–0.717
-- stderr
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:sample@27bfe6|boot:doc,1000,seed=1,level=95

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat demo --export sample"#),
        str![[r#"
exit code 0
-- stderr
note: wrote `sample/gold.karat.jsonl`
note: wrote `sample/systems/spotter.karat.jsonl`
note: wrote `sample/systems/careful.karat.jsonl`
note: wrote `sample/systems/popular.karat.jsonl`

"#]]
    );
    assert_data_eq!(
        folder.run(r#"find sample -type f | sort"#),
        str![[r#"
exit code 0
-- stdout
sample/gold.karat.jsonl
sample/systems/careful.karat.jsonl
sample/systems/popular.karat.jsonl
sample/systems/spotter.karat.jsonl

"#]]
    );
}

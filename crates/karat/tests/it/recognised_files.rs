//! The table of files and their formats: what the field really has, in small. A row is the format and the content; add
//! a row for each shape that a published file has and no row here does. Every row is also tried with a byte order mark,
//! with line ends of Windows, compressed, and as a seed of damaged files (`hostile.rs`).

use karat::formats::{Detection, Input, ReadOptions, Source};
use std::io::Write;

/// Format and content. Names of files say nothing: they are all called `file`.
#[rustfmt::skip]
pub(crate) const FILES: &[(&str, &str)] = &[
    // neleval: rows without a header, ends inclusive.
    ("neleval", "d1\t0\t3\tQ220\t1.0\tLOC\n"),
    ("neleval", "d1\t0\t3\nd1\t5\t9\tNIL001\nd2\t0\t1\n"),
    ("neleval", "doc_a\t686\t695\tm.0d0x8\t0.5\tPER\tm.0x9\t0.25\tPER\n"),
    ("neleval", "APW_ENG_20101001.0032\t12\t17\tNIL0007\t\tGPE\n"),
    // karat's own.
    ("karat-jsonl", "{\"document\":\"d\",\"text\":\"Rome\",\"annotations\":[{\"span\":[0,4],\"mention\":\"Rome\",\"link\":\"Q220\"}]}\n"),
    ("karat-jsonl", "{\"document\": \"d\"}\n{\"document\": \"e\", \"annotations\": [{\"span\": [0, 4], \"nil\": true}]}\n"),
    // ELEVANT: articles, simple benchmarks and predictions, markup.
    ("elevant", "{\"id\":1,\"title\":\"\",\"text\":\"Rome is large.\",\"evaluation_span\":[0,14],\"labels\":[{\"id\":0,\"span\":[0,4],\"entity_id\":\"Q220\",\"name\":\"Rome\",\"parent\":null,\"children\":[],\"optional\":false,\"type\":\"Q27096213\"}]}\n"),
    ("elevant", "{\"id\":1,\"title\":\"\",\"text\":\"Rome is large.\",\"evaluation_span\":[0,14],\"entity_mentions\":[{\"span\":[0,4],\"id\":\"Q220\",\"linked_by\":\"x\",\"candidates\":[\"Q220\"]}],\"labels\":[]}\n"),
    ("elevant", "{\"id\": 3, \"title\": \"News\", \"text\": \"It rains.\", \"hyperlinks\": [[[0, 2], \"It (novel)\"]], \"title_synonyms\": [], \"labels\": []}\n"),
    ("simple-jsonl", "{\"text\":\"Rome is large.\",\"labels\":[{\"start_char\":0,\"end_char\":4,\"entity_reference\":\"Q220\"}]}\n"),
    ("simple-jsonl", "{\"predictions\":[{\"start_char\":0,\"end_char\":4,\"entity_reference\":\"Q220\",\"candidates\":[\"Q220\"]}]}\n"),
    ("simple-jsonl", "{\"predictions\": []}\n{\"predictions\": [{\"entity_reference\": \"https://en.wikipedia.org/wiki/Rome\", \"start_char\": 3, \"end_char\": 7}]}\n"),
    ("elevant-markup", "**** ARTICLE #1: Ada of Bonn (https://en.wikipedia.org/wiki?curid=4711) *****\nAda of Bonn\n\n<START>[Q7:Ada of Bonn|Ada] sang in [Q586:Bonn|Bonn].<END>\n"),
    ("elevant-markup", "**** ARTICLE d1:  (None) *****\n[Unknown|Ann] met Bob in [Q220|Rome] on [DATETIME|Monday].\n"),
    // NIF as GERBIL reads it.
    ("nif", "@prefix nif: <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#> .\n@prefix itsrdf: <http://www.w3.org/2005/11/its/rdf#> .\n@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n<http://x/d#char=0,9> a nif:Context ;\n  nif:beginIndex \"0\"^^xsd:nonNegativeInteger ; nif:endIndex \"9\"^^xsd:nonNegativeInteger ; nif:isString \"See Rome.\" .\n<http://x/d#char=4,8> a nif:Phrase ; nif:anchorOf \"Rome\" ; nif:beginIndex \"4\"^^xsd:nonNegativeInteger ; nif:endIndex \"8\"^^xsd:nonNegativeInteger ; nif:referenceContext <http://x/d#char=0,9> ; itsrdf:taIdentRef <http://dbpedia.org/resource/Rome> .\n"),
    // Nested contexts, as in the benchmark of DBpedia Spotlight.
    ("nif", "@prefix nif: <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#> .\n@prefix itsrdf: <http://www.w3.org/2005/11/its/rdf#> .\n@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n<http://x/all#char=0,9> a nif:Context , nif:RFC5147String ; nif:isString \"See Rome.\" ; nif:beginIndex \"0\" ; nif:endIndex \"9\" .\n<http://x/1#char=0,9> a nif:Context , nif:RFC5147String ; nif:broaderContext <http://x/all#char=0,9> ; nif:isString \"See Rome.\" ; nif:beginIndex \"0\" ; nif:endIndex \"9\" .\n<http://x/1#char=4,8> a nif:RFC5147String ; nif:anchorOf \"Rome\" ; nif:beginIndex \"4\" ; nif:endIndex \"8\" ; nif:referenceContext <http://x/1#char=0,9> ; itsrdf:taIdentRef <http://dbpedia.org/resource/Rome> .\n"),
    // OKE: local IRIs and owl:sameAs.
    ("nif", "@prefix d0: <http://ontologydesignpatterns.org/ont/wikipedia/d0.owl#> .\n@prefix dul: <http://www.ontologydesignpatterns.org/ont/dul/DUL.owl#> .\n@prefix itsrdf: <http://www.w3.org/2005/11/its/rdf#> .\n@prefix nif: <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#> .\n@prefix oke: <http://www.ontologydesignpatterns.org/data/oke-challenge/task-1/> .\n@prefix owl: <http://www.w3.org/2002/07/owl#> .\n@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n<http://x/s1#char=0,4> a nif:Context ; nif:isString \"Rome\"@en ; nif:beginIndex \"0\"^^xsd:nonNegativeInteger ; nif:endIndex \"4\"^^xsd:nonNegativeInteger .\n<http://x/s1#char=0,4,p> a nif:Phrase ; nif:anchorOf \"Rome\"@en ; nif:beginIndex \"0\"^^xsd:nonNegativeInteger ; nif:endIndex \"4\"^^xsd:nonNegativeInteger ; nif:referenceContext <http://x/s1#char=0,4> ; itsrdf:taIdentRef oke:Rome .\noke:Rome a dul:Place ; owl:sameAs <http://dbpedia.org/resource/Rome> .\n"),
    // N-Triples.
    ("nif", "<http://x/d#char=0,4> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#Context> .\n<http://x/d#char=0,4> <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#isString> \"Rome\" .\n"),
    ("nif-categorised", "@prefix nif: <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#> .\n@prefix itsrdf: <http://www.w3.org/2005/11/its/rdf#> .\n@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n<http://x/d#char=0,9>\n        a nif:String , nif:Context  , nif:RFC5147String ;\n        nif:isString \"\"\"Ana sang.\"\"\"^^xsd:string ;\n        nif:beginIndex \"0\"^^xsd:nonNegativeInteger ;\n        nif:endIndex \"9\"^^xsd:nonNegativeInteger ;\n        nif:sourceUrl <http://x/d> .\n<http://x/d#char=0,3>\n        a nif:String , nif:Context , nif:Phrase , nif:RFC5147String ;\n        nif:referenceContext <http://x/d#char=0,9> ;\n        nif:context <http://x/d#char=0,9> ;\n        nif:anchorOf \"\"\"Ana\"\"\"^^xsd:string ;\n        nif:beginIndex \"0\"^^xsd:nonNegativeInteger ;\n        nif:endIndex \"3\"^^xsd:nonNegativeInteger ;\n        itsrdf:taClassRef <el:Mnt-Full> ;\n        itsrdf:taIdentRef <https://en.wikipedia.org/wiki/Ana> .\n"),
    // Without its head.
    ("nif-categorised", "<http://x/d#char=0,9>\n        a nif:String , nif:Context  , nif:RFC5147String ;\n        nif:isString \"\"\"Ana sang.\"\"\"^^xsd:string ;\n        nif:beginIndex \"0\"^^xsd:nonNegativeInteger ;\n        nif:endIndex \"9\"^^xsd:nonNegativeInteger ;\n        nif:sourceUrl <http://x/d#char=0,9> .\n<http://x/d_sentence0#0,9>\n        a nif:String , nif:Context , nif:RFC5147String ;\n        nif:isString \"\"\"Ana sang.\"\"\"^^xsd:string ;\n        nif:broaderContext <http://x/d#char=0,9> .\n"),
    // AIDA: gold columns, without the page, systems, AIDA-EE.
    ("aida-conll", "-DOCSTART- (1 EU)\nRome\tB\tRome\tRome\thttp://en.wikipedia.org/wiki/Rome\t25458\t/m/06c62\nis\n\n"),
    ("aida-conll", "-DOCSTART- (1163testb SOCCER)\nAL-AIN\tB\tAL-AIN\tAl_Ain\thttp://en.wikipedia.org/wiki/Al_Ain\t/m/03xz1\n,\nNadim\tB\tNadim Ladki\t--NME--\nLadki\tI\tNadim Ladki\t--NME--\n"),
    ("aida-conll", "-DOCSTART- (APW_ENG_20101001.0032)\nAnn\tB\tAnn\t--OOE--\nin\nRome\tB\tRome\tRome\n"),
    ("aida-conll", "-DOCSTART- d\nA\tB\tA\nB\tB\tB\tQ1\t0.5\n"),
    ("cne-release", "1 EU\t0\t2\tThe_Cat\t0.5\n1 EU\t3\t4\t\t\n1 EU\t7\t8\tParis\t1.0\n"),
    ("cne-release", "d\t0\t2\t\t\nd\t7\t8\tParis\t\n"),
    // TAC: queries of all years, tables, discovery.
    ("tac", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kbpentlink>\n  <query id=\"EL1\">\n    <name>Rome</name>\n    <docid>AFP_1</docid>\n    <beg>0</beg>\n    <end>3</end>\n  </query>\n</kbpentlink>\n"),
    ("tac", "<kbpentlink>\n<query id=\"EL_ENG_00001\"><name>PRC</name><docid>eng-NG-31-100578</docid><beg>12</beg><end>14</end></query>\n</kbpentlink>"),
    ("tac15", "karat\tEDL14_1\tRome\td1:15-18\tm.06c62\tGPE\tNAM\t1.0\n"),
    ("tac15", "run1\tQ_001\tAnn\tENG_NW_001278_20130214_F00011JDX:686-696\tNIL00042\tPER\tNAM\t0.5\nrun1\tQ_002\ther\tENG_NW_001278_20130214_F00011JDX:700-702\tNIL00042\tPER\tNOM\t0.5\n"),
    ("conll-coref", "#begin document (bc/cctv/00/cctv_0000); part 000\nbc/cctv/00/cctv_0000 0 0 Rome NNP (TOP* - - - - * (12)\nbc/cctv/00/cctv_0000 0 1 is VBZ *) - - - - * -\n\n#end document\n"),
    ("conll-coref", "#begin document (d); part 001\nd 0 0 The NN (1|(2\nd 0 1 cat NN 2)|1)\n#end document\n"),
    // WNED: both dialects, with and without texts.
    ("wned", "<?xml version=\"1.0\"?>\n<entity.entityAnnotation>\n<document docName=\"d\">\n<annotation><mention>Rome</mention><wikiName>Rome</wikiName><offset>0</offset><length>4</length></annotation>\n</document>\n</entity.entityAnnotation>"),
    ("wned", "<?xml version='1.0' encoding='UTF-8'?>\n<ACE2004.entityAnnotation>\n<document docName=\"a b\">\n\t<annotation>\n\t\t<mention>season</mention>\n\t\t<wikiName>NIL</wikiName>\n\t\t<offset>2</offset>\n\t\t<length>6</length>\n\t\t<entity/>\n\t</annotation>\n</document>\n</ACE2004.entityAnnotation>"),
    ("wned", "<ReferenceProblem>\n<ReferenceFileName>\nnews.eng\n</ReferenceFileName>\n<ReferenceInstance>\n<SurfaceForm>\nRome\n</SurfaceForm>\n<Offset>\n0\n</Offset>\n<Length>\n4\n</Length>\n<ChosenAnnotation>\nhttp://en.wikipedia.org/wiki/Rome\n</ChosenAnnotation>\n<NumAnnotators>\n1\n</NumAnnotators>\n</ReferenceInstance>\n</ReferenceProblem>\n"),
    // HIPE: with all columns, and those of one system.
    ("hipe", "TOKEN\tNE-COARSE-LIT\tNE-COARSE-METO\tNE-FINE-LIT\tNE-FINE-METO\tNE-FINE-COMP\tNE-NESTED\tNEL-LIT\tNEL-METO\tMISC\n# hipe2022:document_id = NZZ-1798-01-20-a-p0002\n# hipe2022:language = de\nBern\tB-loc\tO\tB-loc.adm.town\tO\tO\tO\tQ70\t_\tNoSpaceAfter\n.\tO\tO\tO\tO\tO\tO\t_\t_\tEndOfSentence\n"),
    ("hipe", "TOKEN\tNE-COARSE-LIT\tNEL-LIT\nRome\tB-loc\tQ220\nis\tO\t_\n"),
    // PubTator: texts and mentions, mentions only, a title alone, relations.
    ("pubtator", "12345|t|Rats are large.\n12345|a|They are.\n12345\t0\t4\tRats\tSpecies\t10116\n"),
    ("pubtator", "12345\t0\t4\tRats\tSpecies\t10116\n12345\t20\t24\tp53 \tGene\t7157\n"),
    ("pubtator", "7|t|Naloxone reverses it\n7|a|\n7\t0\t8\tNaloxone\tChemical\tD009270\n7\tCID\tD009270\tD003000\n\n8|t|x\n8|a|y\n"),
    ("pubtator", "PMC1|t|A title\nPMC1|a|An abstract with D1.\n"),
    // BioC: collections and single documents.
    ("bioc-xml", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE collection SYSTEM \"BioC.dtd\">\n<collection><source>PubTator</source><date/><key/><document><id>1</id><passage><offset>0</offset><text>Rats</text><annotation id=\"0\"><infon key=\"type\">Species</infon><infon key=\"identifier\">10116</infon><location offset=\"0\" length=\"4\"/><text>Rats</text></annotation></passage></document></collection>"),
    ("bioc-xml", "<collection><source>CRAFT</source><date>2020</date><key>k</key><document><id>PMC7</id><passage><offset>0</offset><sentence><offset>0</offset><text>Rats</text></sentence></passage></document></collection>"),
    ("bioc-json", "{\"source\":\"PubTator\",\"documents\":[{\"id\":\"1\",\"passages\":[{\"offset\":0,\"infons\":{\"type\":\"title\"},\"text\":\"Rats\",\"annotations\":[{\"id\":\"0\",\"infons\":{\"type\":\"Species\",\"identifier\":\"10116\"},\"text\":\"Rats\",\"locations\":[{\"offset\":0,\"length\":4}]}]}]}]}"),
    ("bioc-json", "{\"id\":\"1\",\"passages\":[{\"offset\":0,\"infons\":{\"type\":\"title\"},\"text\":\"Rats\",\"annotations\":[{\"id\":\"0\",\"infons\":{\"type\":\"Species\",\"identifier\":\"10116\"},\"text\":\"Rats\",\"locations\":[{\"offset\":0,\"length\":4}]}]}]}\n"),
    // brat: normalised, without types, with notes first.
    ("brat", "T1\tLOC 0 4\tRome\nN1\tReference T1 Wikidata:Q220\tRome\n"),
    ("brat", "T1\tDisease 686 696;700 704\tlung cancer pain\nE1\tx:T1\nA1\tNegated T1\n"),
    ("brat", "T12\tCountry 0 5\tItaly\nT13\tCity 9 13\tRome\nN1\tReference T12 Wikidata:NULL\n"),
    // Label Studio: exports with and without links.
    ("label-studio", "[{\"id\":1,\"data\":{\"text\":\"Rome\"},\"annotations\":[{\"result\":[{\"id\":\"a\",\"from_name\":\"label\",\"to_name\":\"text\",\"type\":\"labels\",\"value\":{\"start\":0,\"end\":4,\"text\":\"Rome\",\"labels\":[\"LOC\"]}}]}]}]"),
    ("label-studio", "[{\"id\": 12, \"project\": 1, \"data\": {\"text\": \"So is it.\"}, \"annotations\": [], \"predictions\": []}]"),
    // W3C: one, and a page.
    ("web-annotation", "{\"@context\":\"http://www.w3.org/ns/anno.jsonld\",\"type\":\"Annotation\",\"body\":{\"id\":\"http://www.wikidata.org/entity/Q220\",\"purpose\":\"identifying\"},\"target\":{\"source\":\"d1\",\"selector\":{\"type\":\"TextPositionSelector\",\"start\":0,\"end\":4}}}"),
    ("web-annotation", "{\"@context\":\"http://www.w3.org/ns/anno.jsonld\",\"type\":\"AnnotationPage\",\"items\":[\n{\"id\":\"urn:x:1\",\"type\":\"Annotation\",\"body\":{\"type\":\"TextualBody\",\"purpose\":\"classifying\",\"value\":\"LOC\"},\"target\":{\"source\":\"d1\",\"selector\":{\"type\":\"TextQuoteSelector\",\"exact\":\"Rome\"}}}\n]}\n"),
    ("zelda", "{\"id\":\"1\",\"text\":\"Rome\",\"index\":[[0,4]],\"wikipedia_titles\":[\"Rome\"],\"wikipedia_ids\":[\"25458\"]}\n"),
    ("zelda", "-DOCSTART-\n\n# 1163testb SOCCER\nAL\tB-212131\tB-Al Ain\nAIN\tI-212131\tI-Al Ain\n\nX\tO\tO\n"),
    // One mention in its context: KILT, BLINK, NIL_EL.
    ("kilt", "{\"id\":\"1 EU:0\",\"input\":\"in [START_ENT] Rome [END_ENT] now\",\"output\":[{\"answer\":\"Rome\",\"provenance\":[{\"wikipedia_id\":\"25458\",\"title\":\"Rome\"}]}],\"meta\":{\"left_context\":\"in\",\"mention\":\"Rome\",\"right_context\":\"now\"}}\n"),
    ("kilt", "{\"id\": \"7\", \"input\": \"[START_ENT] Rome [END_ENT] now\", \"output\": [{\"answer\": \"Rome\"}]}\n"),
    ("blink", "{\"id\":0,\"label\":\"unknown\",\"label_id\":-1,\"context_left\":\"in\",\"mention\":\"rome\",\"context_right\":\"now\"}\n"),
    ("blink", "{\"context_left\": \"in \", \"mention\": \"rome\", \"context_right\": \" now\", \"query_id\": \"947testa CRICKET:0\", \"label_id\": 5, \"Wikipedia_ID\": \"25458\", \"Wikipedia_URL\": \"http://en.wikipedia.org/wiki/Rome\", \"Wikipedia_title\": \"Rome\"}\n"),
    ("blink", "{\"left_context\": \"starring \", \"right_context\": \". It\", \"mention\": \"bagavathi\", \"answer\": \"Bagavathi\", \"candidate_title\": [\"Devi\"]}\n"),
    ("blink", "{\"mention\": \"rome\", \"left_context\": \"\", \"right_context\": \"now\", \"answer\": \"NIL\"}\n"),
    // Systems' output: ReFinED, REL.
    ("refined", "{\"id\":\"d\",\"text\":\"in Rome\",\"spans\":[{\"text\":\"Rome\",\"start\":3,\"ln\":4,\"predicted_entity\":{\"wikidata_entity_id\":\"Q220\"}}]}\n"),
    ("refined", "{\"text\":\"in Rome\",\"mentions\":[{\"start\":3,\"length\":4,\"wiki_name\":\"Rome\"}]}\n"),
    ("refined", "[{\"text\":\"Rome\",\"start\":3,\"ln\":4,\"predicted_entity\":{\"wikidata_entity_id\":\"Q220\"}}]"),
    ("rel", "{\"d\": [[3, 4, \"Rome\", \"Rome\", 0.5, 0.9, \"LOC\"]]}"),
    ("rel", "[[3, 4, \"Rome\", \"Rome\", 0.5, 0.9, \"LOC\"]]"),
    // Mewsli: the tables of 9, the lines of X.
    ("mewsli", "docid\tposition\tlength\tmention\turl\tlang\tqid\tqid_in_refs\tfreq_bin\nen-1\t3\t4\tRome\thttp://x\ten\tQ220\tTrue\t4\n"),
    ("mewsli", "docid\ttitle\tcurid\trevid\turl\ttext_md5\nen-1\tNews\t8\t123\thttps://x\tabc\n"),
    ("mewsli-x", "{\"context\": {\"document_title\": \"T\", \"document_url\": \"https://en.wikinews.org/wiki?curid=3\", \"document_id\": \"en-3\", \"language\": \"en\", \"text\": \"In Rome now.\", \"sentence_spans\": [{\"start\": 0, \"end\": 12}]}, \"mentions\": [{\"example_id\": \"c7\", \"mention_span\": {\"start\": 3, \"end\": 7, \"text\": \"Rome\"}, \"entity_id\": \"Q220\", \"metadata\": {\"curid\": \"3\", \"bin_name\": \"bin04\"}}]}\n"),
    ("mewsli-x", "{\"context\": {\"document_id\": \"en-3\", \"language\": \"en\", \"text\": \"\", \"sentence_spans\": []}, \"mention\": {\"example_id\": \"c7\", \"mention_span\": {\"start\": 3, \"end\": 7, \"text\": \"Rome\"}, \"entity_id\": \"Q220\", \"metadata\": {}}}\n"),
    ("belb", "{\"id\":\"1\",\"text\":\"Rats\",\"annotations\":[{\"type\":\"species\",\"text\":\"Rats\",\"start\":0,\"end\":4,\"ids\":[\"10116\"]}],\"metadata\":{\"passages\":[{\"offset\":0,\"type\":\"title\"}]}}\n"),
    ("belb", "{\"id\":\"1\",\"passages\":[{\"offset\":0,\"type\":\"title\",\"text\":\"Rats\",\"annotations\":[{\"type\":\"species\",\"text\":\"Rats\",\"start\":0,\"end\":4,\"ids\":[\"10116\"]}]}]}\n"),
    // Language models.
    ("llm-markup", "{\"id\":\"d\",\"text\":\"in Rome\",\"output\":\"in [Rome](Q220)\"}\n"),
    ("llm-markup", "in <e id=\"Q220\">Rome</e> and [Bonn](Q586)"),
    ("llm-json", "{\"id\":\"d\",\"text\":\"in Rome\",\"output\":\"Yes: [{\\\"mention\\\":\\\"Rome\\\",\\\"entity\\\":\\\"Q220\\\"}]\"}\n"),
    ("llm-json", "```json\n[{\"mention\": \"Rome\", \"entity\": \"Q220\"}]\n```"),
    // WebAnno and INCEpTION: other layers, chains and relations, sub-tokens, an empty document.
    ("webanno-tsv", "#FORMAT=WebAnno TSV 3.3\n#T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value\n\n\n#Text=Rome is.\n1-1\t0-4\tRome\thttp://www.wikidata.org/entity/Q220\tLOC\t\n1-2\t5-7\tis\t_\t_\t\n1-3\t7-8\t.\t_\t_\t\n"),
    ("webanno-tsv", "#FORMAT=WebAnno TSV 3.2\n#T_SP=webanno.custom.Referent|entity|infstat|identity\n#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent\n\n\n#Text=Harrow School\n1-1\t0-6\tHarrow\torganization[6]|place[7]\tnew[6]|new[7]\tHarrow_School[6]\tbridge\t4-12[0_6]\t\n1-2\t7-13\tSchool\torganization[6]\tnew[6]\tHarrow_School[6]\t_\t_\t\n"),
    ("webanno-tsv", "#FORMAT=WebAnno TSV 3.3\n#T_SP=de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS|PosValue\n#T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value\n#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceRelation|referenceType\n\n\n#Text=Rome-based\\t\\[x\\]\n1-1\t0-10\tRome-based\tJJ\t_\t_\t_\t_\t\n1-1.1\t0-4\tRome\t_\t*[1]\tLOC[1]\t*->1-1\t*\t\n"),
    ("webanno-tsv", "#FORMAT=WebAnno TSV 3.3\n\n\n#Text=Nothing here\n1-1\t0-7\tNothing\t\n1-2\t8-12\there\t\n"),
    // CoNLL-U: three generations of `Entity=`, links on words, no entities at all.
    ("conllu", "# newdoc id = GUM_bio_byron\n# sent_id = GUM_bio_byron-1\n# text = Byron sang\n1\tByron\tByron\tPROPN\tNNP\tNumber=Sing\t2\tnsubj\t_\tEntity=(person-3-Lord_Byron)\n2\tsang\tsing\tVERB\tVBD\t_\t0\troot\t_\t_\n\n"),
    ("conllu", "# global.Entity = GRP-etype-infstat-centering-minspan-link-identity\n# newdoc id = GUM_x\n# sent_id = GUM_x-1\n1\tNew\tNew\tPROPN\tNNP\t_\t0\troot\t_\tEntity=(2-place-new-cf1-1-sgl-New_York_City\n2\tYork\tYork\tPROPN\tNNP\t_\t1\tflat\t_\tEntity=2)|SpaceAfter=No\n"),
    ("conllu", "# global.Entity = eid-etype-head-other\n# newdoc id = c\n1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\tde\tADP\t_\t_\t0\troot\t_\tEntity=(e2[1/2]-place-1-)\n2\tle\tle\tDET\t_\t_\t1\tdet\t_\tEntity=(e2[2/2]-place-1-)\n2.1\t_\t_\tX\t_\t_\t_\t_\t1:dep\t_\n"),
    ("conllu", "1\tRome\tRome\tPROPN\t_\t_\t0\troot\t_\tNER=B-LOC|Wikidata=Q220\n2\tis\tbe\tAUX\t_\t_\t1\tcop\t_\t_\n"),
    ("conllu", "# sent_id = 1\n# text = It rains\n1\tIt\tit\tPRON\tPRP\t_\t2\texpl\t_\t_\n2\trains\train\tVERB\tVBZ\t_\t0\troot\t_\t_\n"),
    // CleanCoNLL: as it is distributed, with its words, without a first row.
    ("clean-conll", "[TOKEN]\t-X-\tO\tO\tO\n\n[TOKEN]\tNNP\tB-Japan_national_football_team\tB-ORG\tB-ORG\n[TOKEN]\tVB\tO\tO\tO\n\n[TOKEN]\tNNP\tO\tB-PER\tB-PER\n"),
    ("clean-conll", "-DOCSTART-\t-X-\tO\tO\tO\n\nAL-AIN\tNNP\tB-Al_Ain\tB-LOC\tB-LOC\n,\t,\tO\tO\tO\nNadim\tNNP\tO\tB-PER\tB-PER\nLadki\tNNP\tO\tI-PER\tI-PER\n"),
    ("clean-conll", "JAPAN\tNNP\tB-Japan_national_football_team\tB-ORG\tB-ORG\nGET\tVB\tO\tO\tO\n"),
    // PubAnnotation: one document, divisions, tracks, several as an array, none annotated.
    ("pubannotation", "{\"target\":\"http://pubannotation.org/docs/sourcedb/PubMed/sourceid/10022\",\"sourcedb\":\"PubMed\",\"sourceid\":\"10022\",\"text\":\"IRF-4 expression\",\"denotations\":[{\"id\":\"T1\",\"span\":{\"begin\":0,\"end\":5},\"obj\":\"uniprot:Q15306\"}],\"attributes\":[{\"id\":\"A1\",\"subj\":\"T1\",\"pred\":\"tao:has_database_id\",\"obj\":\"Gene:3662\"}]}"),
    ("pubannotation", "{\n  \"text\": \"IRF-4\",\n  \"denotations\": [\n    {\"id\": \"T1\", \"span\": {\"begin\": 0, \"end\": 5}, \"obj\": \"Protein\"}\n  ]\n}\n"),
    ("pubannotation", "{\"sourcedb\":\"PMC\",\"sourceid\":\"77\",\"divid\":3,\"text\":\"Rome\",\"tracks\":[{\"project\":\"a\",\"denotations\":[{\"span\":{\"begin\":0,\"end\":4},\"obj\":\"LOC\"}]}]}"),
    ("pubannotation", "[{\"sourcedb\":\"PubMed\",\"sourceid\":\"1\",\"text\":\"x\",\"denotations\":[]},{\"sourcedb\":\"PubMed\",\"sourceid\":\"2\",\"text\":\"Rome\",\"denotations\":[{\"id\":\"T1\",\"span\":[{\"begin\":0,\"end\":2},{\"begin\":3,\"end\":4}],\"obj\":\"LOC\"}]}]"),
    ("pubannotation", "{\"text\": \"Nothing.\", \"sourcedb\": \"PubMed\", \"sourceid\": \"3\"}"),
    // Prodigy: spans, linking with options, no answer, nothing but the text.
    ("prodigy", "{\"text\":\"in Rome\",\"_input_hash\":-987,\"_task_hash\":12,\"tokens\":[{\"text\":\"in\",\"start\":0,\"end\":2,\"id\":0}],\"spans\":[{\"start\":3,\"end\":7,\"token_start\":1,\"token_end\":1,\"label\":\"GPE\"}],\"answer\":\"accept\"}\n"),
    ("prodigy", "{\"text\":\"Emerson won\",\"meta\":{\"score\":1.0},\"_input_hash\":2,\"_task_hash\":1,\"spans\":[{\"start\":0,\"end\":7,\"text\":\"Emerson\",\"label\":\"PERSON\"}],\"options\":[{\"id\":\"Q312545\",\"html\":\"<a>Q312545</a>\"},{\"id\":\"NIL_otherLink\",\"text\":\"Link not in options\"}],\"accept\":[\"Q312545\"],\"answer\":\"accept\"}\n"),
    ("prodigy", "{\"text\": \"in Rome\", \"spans\": [{\"start\": 3, \"end\": 7, \"label\": \"GPE\", \"kb_id\": \"Q220\"}], \"answer\": \"accept\"}\n"),
    ("prodigy", "{\"text\":\"in Rome\",\"_input_hash\":7,\"_task_hash\":8}\n"),
    // Pieces of a text in XML: N3, GERDAQ.
    ("n3-xml", "<?xml version=\"1.0\" encoding=\"UTF-8\"?><corpus xmlns=\"http://semweb.unister.de/xml-corpus-schema-2013\">\n<Document id=\"0\"><TextWithNamedEntities><SimpleTextPart>See </SimpleTextPart><NamedEntityInText uri=\"http://dbpedia.org/resource/Rome\">Rome</NamedEntityInText></TextWithNamedEntities></Document>\n</corpus>"),
    ("n3-xml", "<corpus>\n  <Document id=\"3\">\n    <DocumentURI>http://x/3</DocumentURI>\n    <DocumentSource>News</DocumentSource>\n    <TextWithNamedEntities>\n      <NamedEntityInText uri=\"http://aksw.org/notInWiki/Ana\">Ana</NamedEntityInText>\n      <SimpleTextPart> sang.</SimpleTextPart>\n    </TextWithNamedEntities>\n  </Document>\n</corpus>\n"),
    ("gerdaq", "<?xml version='1.0' encoding='UTF-8'?>\n<dataset><instance>loris <annotation rank_0_id=\"44017\" rank_0_score=\"0.925\" rank_0_title=\"Candle\">candle</annotation> sampler</instance>\n<instance>hip gry pl</instance></dataset>"),
    ("gerdaq", "<dataset>\n<instance>no match</instance>\n<instance>another</instance>\n</dataset>\n"),
    ("erd", "TREC-7\t0\tBowflex\tbowflex\t1\nTREC-11\t0\tCass_County,_Missouri\tcass county missouri\t1\n"),
    ("erd", "TREC-22\t0\t/m/0bx3s\teast ridge high school\t0.5\nTREC-22\t1\t/m/0cx7k\teast ridge high school\t0.5\n"),
    // Conversations.
    ("conel", "[\n    {\n        \"dialogue_id\": \"90\",\n        \"turns\": [\n            {\n                \"turn_number\": 0,\n                \"utterance\": \"I love hockey!\",\n                \"speaker\": \"USER\",\n                \"el_annotations\": [{\"mention\": \"hockey\", \"entity\": \"Ice_hockey\", \"span\": [7, 13]}]\n            },\n            {\"turn_number\": 1, \"utterance\": \"Which?\", \"speaker\": \"SYSTEM\"}\n        ]\n    }\n]\n"),
    ("conel", "[{\"dialogue_id\": \"1\", \"turns\": [{\"speaker\": \"USER\", \"utterance\": \"Hi.\", \"turn_number\": 0, \"el_annotations\": [], \"personal_entity_annotations\": []}]}]"),
    ("conel", "[\n    {\n        \"dialogue_id\": \"566\",\n        \"turns\": [\n            {\n                \"turn_number\": 0,\n                \"utterance\": \"have you ever tried my diet\",\n                \"speaker\": \"USER\",\n                \"personal_entity_annotations\": [{\"personal_entity_mention\": \"my diet\"}]\n            }\n        ]\n    }\n]"),
    // Geoparsing: toponyms of GeoNames, locations of Wikipedia that count from 1.
    ("geo-xml", "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\n<articles>\n  <article docid=\"40450848\">\n    <feedid>138</feedid>\n    <title>Fire</title>\n    <text><![CDATA[Alexandria woman charged.]]></text>\n    <toponyms>\n      <toponym>\n        <start>0</start>\n        <end>10</end>\n        <phrase>Alexandria</phrase>\n        <gaztag geonameid=\"4314550\">\n          <name>Alexandria</name>\n          <fclass>P</fclass>\n          <fcode>PPL</fcode>\n          <lat>31.3113</lat>\n          <lon>-92.4451</lon>\n          <country geonameid=\"6252001\">United States</country>\n        </gaztag>\n      </toponym>\n    </toponyms>\n  </article>\n</articles>\n"),
    ("geo-xml", "<articles>\n    <article>\n        <source>https://en.wikinews.org/wiki/Hogs</source>\n        <text>A farm in Pandi.</text>\n        <locations>\n            <location>\n                <name>Pandi</name>\n                <start>11</start>\n                <end>16</end>\n                <lat>14.87</lat>\n                <lon>120.95</lon>\n                <page>https://en.wikipedia.org/wiki/Pandi,_Bulacan</page>\n            </location>\n        </locations>\n    </article>\n</articles>"),
    // Sentences of historical periodicals: gold, and a system that disambiguates common words too.
    ("mhercl", "#document_id:TheHarmonicon__1832-012.txt_996\n#document_date:1832\n#sent_text:The Lord Chamberlain spoke.\nThe\tO\t_\tthe\tDET\nLord\tB-person\tQ541755\tLord\tPROPN\nChamberlain\tI-person\tQ541755\tChamberlain\tPROPN\nspoke\tO\t_\tspeak\tVERB\n.\tO\t_\t.\tPUNCT\n\n"),
    ("mhercl", "#document_id:x_1\n#document_date:NaN\n#sent_text:Gavinies published\nGavinies\tB-person\tNIL\tGavinies\tPROPN\npublished\tO\tbn:00092023v\tpublish\tVERB\n"),
    ("duel", "{\"text_id\": \"1\", \"text\": \"南京南站:坐高铁\", \"mention_data\": [{\"kb_id\": \"311223\", \"mention\": \"南京南站\", \"offset\": \"0\"}]}\n"),
    ("duel", "{\"text\":\"天下\",\"mention_data\":[{\"kb_id\":\"NIL_Work\",\"mention\":\"天下\",\"offset\":\"0\"}],\"text_id\":\"9\"}\n{\"text_id\": \"10\", \"text\": \"无\", \"mention_data\": []}\n"),
    // Tables: usual columns, columns of their own, foreign ones, both offsets in one, byte offsets, quotes.
    ("csv", "doc,start,end,link\nd,0,4,Q220\n"),
    ("csv", "doc_id;begin;stop;qid;comment\nd;0;4;Q220;\"a; b\"\n"),
    ("csv", ",doc,start,end,qid,entity,comment,length\n0,d,0,1,Q1,x,y,1\n"),
    ("csv", "document,offsets,entity\nd,\"[686, 696]\",Rome\n"),
    ("csv", "doc_id,offset,qid\nd,686-696,Q64\n"),
    ("tsv", "doc\tstart\tend\tlink\nd\t0\t4\tQ220\n"),
    ("tsv", "filename\tlabel\tstart_span\tend_span\ttext\tcode\nes-S0004\tPROCEDIMIENTO\t686\t696\tbiopsia de\t86273004\n"),
    ("tsv", "filename\tmark\tlabel\toff0\toff1\tspan\tcode\nd\tT1\tENFERMEDAD\t2\t5\tabc\t7\n"),
    ("tsv", "pmid\tspan\tmention\tcui\n1\t686-696\tten letter\tC0032\n"),
    ("tsv", "document_id\tstart_char\tend_char\tlabel\tkb_id\td_note\nd\t0\t4\tLOC\tQ220\t\n"),
    ("jsonl", "{\"doc\":\"d\",\"start\":0,\"end\":4,\"link\":\"Q220\",\"mention\":\"Rome\"}\n"),
    ("jsonl", "{\"doc_id\": \"d\", \"begin\": 0, \"stop\": 4, \"qid\": \"Q220\", \"types\": [\"LOC\"]}\n"),
    ("jsonl", "{\"doc\": \"d\", \"span\": \"686-696\", \"link\": \"Q64\"}\n"),
    ("nested-jsonl", "{\"id\": \"d\", \"text\": \"Rome\", \"entities\": [{\"start\": 0, \"end\": 4, \"link\": \"Q220\"}]}\n"),
    ("nested-jsonl", "{\"doc_id\": \"d\", \"mentions\": [{\"begin\": 0, \"end\": 4, \"qid\": \"Q220\", \"mention\": \"Rome\"}]}\n"),
    ("nested-jsonl", "{\"name\": \"d\", \"text\": \"Rome!\", \"spans\": [{\"span\": [0, 4], \"kb_id\": \"Q220\", \"label\": \"LOC\", \"mention\": \"Rome\"}]}\n"),
    ("nested-jsonl", "[{\"id\": \"d\", \"text\": \"Rome\", \"annotations\": [{\"start_char\": 0, \"end_char\": 4, \"uri\": \"http://dbpedia.org/resource/Rome\"}]}]"),
];

/// Files of no format that karat knows, though they look like some.
const STRANGERS: [&str; 6] = [
    "{\"text\":\"Rome is large\",\"label\":[[0,4,\"LOC\"]]}",
    "[{\"id\":1,\"text\":\"Rome is large\"}]",
    "<ere><entities><entity id=\"ent-1\" type=\"GPE\"><entity_mention id=\"m-1\">Rome</entity_mention></entity></entities></ere>",
    "See [the manual](docs/manual.md) and [the site](https://example.org/).\n",
    "-DOCSTART- -X- O O\n\nEU NNP B-NP B-ORG\nrejects VBZ B-VP O\n",
    "TREC-1\tadobe indian houses\nTREC-2\tatypical squamous cells\n",
];

/// Formats whose files are no text, and so not in the table.
const CONTAINERS: [&str; 3] = ["arrow", "parquet", "spacy"];

fn detected(name: &str, bytes: impl Into<Vec<u8>>) -> Vec<&'static str> {
    match karat::registry().detect(&Source::memory(name, bytes)) {
        Ok(Detection::Format(format)) => vec![format.info().name],
        Ok(Detection::Several(names)) => names,
        Ok(Detection::Unknown(_)) | Err(_) => Vec::new(),
    }
}

/// What is wrong with the rows, each changed in the same way.
fn misread(change: impl Fn(&str) -> Vec<u8>) -> Vec<String> {
    let wrong = |(format, content): &(&'static str, &str)| {
        let found = detected("file", change(content));
        (found != [*format]).then(|| format!("{format} is taken for {found:?}:\n{content}"))
    };
    FILES.iter().filter_map(wrong).collect()
}

#[test]
fn every_file_is_of_its_format() {
    assert!(FILES.len() >= 120, "{}", FILES.len());
    let wrong = misread(|content| content.as_bytes().to_vec());
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn what_is_of_no_format_is_claimed_by_none() {
    for content in STRANGERS {
        assert_eq!(detected("file", content), [""; 0], "{content}");
    }
}

#[test]
fn every_format_of_text_is_there_twice() {
    for format in karat::registry().formats() {
        let name = format.info().name;
        let count = FILES.iter().filter(|(of, _)| *of == name).count();
        assert!(count >= 2 || CONTAINERS.contains(&name), "{name}: {count}");
    }
}

#[test]
fn marks_line_ends_and_compression_do_not_matter() {
    let marked = misread(|content| [b"\xef\xbb\xbf", content.as_bytes()].concat());
    assert!(marked.is_empty(), "a byte order mark: {}", marked.join("\n\n"));
    let windows = misread(|content| content.replace('\n', "\r\n").into_bytes());
    assert!(windows.is_empty(), "line ends: {}", windows.join("\n\n"));
    let blank = misread(|content| format!("{}\n\n", content.trim_end()).into_bytes());
    assert!(blank.is_empty(), "empty lines at the end: {}", blank.join("\n\n"));
    let compressed = misread(|content| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(content.as_bytes()).unwrap();
        encoder.finish().unwrap()
    });
    assert!(compressed.is_empty(), "compressed: {}", compressed.join("\n\n"));
}

/// Formats some of whose files say nothing without the file next door, or without the name of their document.
const NOT_ALONE: [&str; 3] = ["brat", "hipe", "tac"];

#[test]
fn what_is_detected_is_read() {
    let mut unread = Vec::new();
    for (format, content) in FILES {
        let input = Input::from(Source::memory("file", *content));
        let options = ReadOptions { lenient: true, ..ReadOptions::default() };
        match karat::registry().read(&input, None, &options) {
            Ok(outcome) if outcome.corpus.is_empty() && !NOT_ALONE.contains(format) => {
                unread.push(format!("{format}: nothing\n{content}"));
            }
            Ok(_) => {}
            Err(problem) => unread.push(format!("{problem}\n{content}")),
        }
    }
    assert!(unread.is_empty(), "{}", unread.join("\n\n"));
}

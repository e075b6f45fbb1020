//! What ELEVANT, GERBIL and NIFify show, feature by feature, and the test of each.

/// A feature of the lists and the test that walks through what karat has in its place. Those of ELEVANT's page of systems have their
/// numbers in the names of their tests (`elevant_5_1_no_row_is_missing`).
const FEATURES: &[(&str, &str)] = &[
    ("ELEVANT 5.2: groups of statistics as columns", "elevant_5_2_groups_of_statistics_are_chosen"),
    ("ELEVANT 5.2: percent or total", "elevant_5_2_percent_or_total"),
    ("ELEVANT 5.2: benchmark filter, sorting", "elevant_5_2_benchmarks_are_filtered_and_sorted"),
    ("ELEVANT 5.2: copy as TSV and LaTeX", "elevant_5_2_tables_are_had_as_tsv_and_latex"),
    (
        "ELEVANT 5.2: a cell opens its mentions",
        "elevant_5_2_a_cell_opens_the_mentions_that_it_counts",
    ),
    (
        "ELEVANT 5.2: tooltips with alternatives",
        "other_readings_nil_and_optional_mentions_are_told",
    ),
    ("ELEVANT 5.2: several benchmarks at once", "elevant_5_2_benchmarks_stand_side_by_side"),
    ("GERBIL 1.8: configuration with own data", "gerbil_1_8_configuration_takes_own_files"),
    ("GERBIL 1.8: experiment with all measures", "gerbil_1_8_experiment_page_has_all_measures"),
    ("GERBIL 1.8: notice while it waits", "a_job_that_waits_is_cancelled_and_nothing_of_it_stays"),
    ("GERBIL 1.8: results are reused", "answers_outlive_a_server"),
    ("GERBIL 1.8: persistent address", "gerbil_1_8_experiment_has_a_lasting_link"),
    ("GERBIL 1.8: JSON-LD in Data Cube terms", "numbers_are_those_of_the_command"),
    ("GERBIL 1.8: results for programs", "gerbil_1_8_results_for_programs"),
    ("GERBIL 1.8: requests over HTTP", "the_api_does_what_its_description_says"),
    ("GERBIL 1.8: overview as a matrix", "gerbil_1_8_overview_is_a_matrix"),
    ("GERBIL 1.8: radar", "gerbil_1_8_overview_has_a_radar"),
    (
        "GERBIL 1.8: correlation with features",
        "gerbil_1_8_overview_correlates_scores_with_features",
    ),
    ("GERBIL 1.8: features of datasets", "gerbil_1_8_features_of_datasets"),
    ("GERBIL 1.8: answers of annotators", "gerbil_1_8_answers_of_annotators_can_be_downloaded"),
    ("NIFify: colours by dimension", "nifify_mentions_are_coloured_by_dimension"),
    (
        "NIFify: signs of entity types",
        "row_14_mentions_tell_label_link_types_system_readings_and_errors",
    ),
    ("NIFify: display filtered by tags", "nifify_mentions_are_filtered_by_tags"),
    ("NIFify: summary", "nifify_a_summary_counts_documents_annotations_tags_and_types"),
    ("NIFify: findings of checks in their sentence, fixes", "checks_show_what_a_fix_would_change"),
    (
        "NIFify: systems against gold, with the reason",
        "nifify_annotations_of_systems_are_coloured_with_the_reason",
    ),
    ("NIFify: strict and relaxed scores", "conventions_are_walked_setting_by_setting_to_the_cases"),
    ("NIFify: list for review", "cases_are_narrowed_down_grouped_selected_and_exported"),
    ("NIFify: many documents", "keys_go_through_errors_documents_and_layers"),
];

#[test]
fn every_feature_of_the_lists_has_its_test() {
    let manifest = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = String::new();
    for folder in ["tests/it", "src/workspace", "src/report"] {
        for entry in std::fs::read_dir(manifest.join(folder)).expect("a folder") {
            let path = entry.expect("a file").path();
            if path.extension().is_some_and(|it| it == "rs") {
                sources.push_str(&std::fs::read_to_string(&path).expect("a source"));
            }
        }
    }
    for (feature, test) in FEATURES {
        assert!(sources.contains(&format!("fn {test}()")), "{feature}: no test {test}");
    }
}

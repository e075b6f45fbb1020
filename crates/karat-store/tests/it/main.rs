//! One suite for all databases: SQLite in memory, SQLite in a file, and a PostgreSQL server that
//! the test starts itself.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod accounts;
mod audit;
mod campaign_crowd;
mod campaign_model;
mod campaigns;
mod corpora;
mod databases;
mod evaluations;
mod files;
mod jobs;
mod kept;
mod killed;
mod objects;
mod once;
mod postgres;
mod submissions;
mod sweep;
mod writers;

use databases::Fixture;

/// Each case is a test in memory and one in a file; those on disk reach the database from outside,
/// which one in memory does not allow. On PostgreSQL all cases are one test, because
/// they share a server.
macro_rules! cases {
    (
        everywhere { $($module:ident: $($name:ident),+;)+ }
        on_disk { $($disk:ident: $case:ident;)+ }
    ) => {
        mod in_memory {
            $(mod $module { $(
                #[test]
                fn $name() {
                    crate::databases::block_on(async {
                        crate::$module::$name(crate::Fixture::memory().await).await;
                    });
                }
            )+ })+
        }
        mod in_a_file {
            $(mod $module { $(
                #[test]
                fn $name() {
                    crate::databases::block_on(async {
                        crate::$module::$name(crate::Fixture::file().await).await;
                    });
                }
            )+ })+
            $(
                #[test]
                fn $case() {
                    crate::databases::block_on(async {
                        crate::$disk::$case(crate::Fixture::file().await).await;
                    });
                }
            )+
        }
        #[test]
        fn everything_holds_on_postgresql() {
            let Some(server) = postgres::Server::start() else {
                println!("skipped: no PostgreSQL (its programs initdb and postgres)");
                return;
            };
            databases::block_on(async {
                $($(
                    let begun = std::time::Instant::now();
                    $module::$name(Fixture::server(&server).await).await;
                    let (module, name) = (stringify!($module), stringify!($name));
                    println!("{:?} {module}::{name}", begun.elapsed());
                )+)+
                $( $disk::$case(Fixture::server(&server).await).await; )+
            });
        }
    };
}

cases! {
    everywhere {
    accounts: a_password_opens_a_session_until_it_idles, rights_end_sessions,
        a_token_is_known_by_its_digest, an_invitation_is_taken_once,
        a_login_that_is_an_id_opens_no_other_account;
    audit: the_chain_is_whole_and_newest_first;
    campaigns: a_plan_comes_back,
            a_campaign_is_taken_elsewhere, people_come_once_and_their_ids_are_sealed, a_submission_is_taken_once,
        a_task_that_went_to_somebody_else_is_surplus, controls_come_at_their_places_and_never_twice,
        decisions_have_a_history_and_rules_leave_people_alone, invitations_are_taken_and_end,
        what_waits_is_committed_together;
    corpora: a_document_is_read_by_one_frame, the_same_corpus_is_kept_once,
        a_corpus_of_twenty_thousand_documents;
    evaluations: a_board_is_one_question, done_is_never_replaced, a_published_board_is_frozen,
        evaluations_live_as_long_as_they_are_asked_for, comparisons_are_kept_by_key,
        answers_are_kept_by_key_until_nobody_asks, the_catalogue_has_what_was_read;
    files: bytes_are_kept_once_by_digest, a_file_arrives_in_pieces;
    jobs: the_oldest_job_goes_first, an_expired_lease_is_claimed_again, a_job_fails_after_three_attempts,
        a_job_can_be_cancelled, the_queue_has_limits, what_a_job_brings_is_kept_with_its_end,
        two_workers_never_claim_one_job;
    kept: what_was_acknowledged_is_there_after_reopening;
    objects: names_are_unique_and_can_change, only_the_newest_version_changes,
        the_trash_gives_back, lists_hold_while_others_insert, hidden_things_are_left_out,
        suspicions_keep_what_was_decided, a_place_is_noted_and_decided_at_once,
        conventions_have_names;
    once: a_request_is_done_once;
    submissions: an_upload_is_accepted_whole, an_upload_is_refused_whole, the_same_upload_twice_is_one_file,
        hidden_gold_has_a_quota, nothing_stays_of_a_job_that_killed_its_workers;
    sweep: what_nothing_refers_to_goes, the_trash_is_emptied_after_thirty_days;
    writers: sixteen_writers_wait_for_each_other, readers_see_only_what_is_committed;
    }
    on_disk {
        audit: tampering_shows;
        files: damage_shows;
        kept: an_edited_migration_is_refused;
    }
}

//! Making, changing, removing and restoring: benchmarks, systems, runs and boards.

use super::call::{Call, boxed};
use super::etag::expected_version;
use super::listing::{self, listed};
use super::operation::{Gives, Handler, Operation, READ, Takes, schema_of};
use super::problem::Problem;
use super::stored::{created, done, versioned};
use crate::access::Act;
use crate::pages::benchmark::BenchmarkPage;
use crate::pages::board::saved;
use crate::workspace::ThingRights;
use axum::http::Method;
use axum::response::Response;
use karat_store::{
    BenchmarkChange, BenchmarkRow, BoardChange, BoardEntry, EVERYTHING, EditionRow, NewBenchmark,
    NewBoard, NewSystem, Removable, RunChange, RunRow, StoredBoard, SystemChange, SystemRow,
    TrashRow,
};
use std::sync::Arc;

const POST: Operation = Operation { method: Method::POST, act: Act::Organise, ..READ };
const PATCH: Operation = Operation { method: Method::PATCH, act: Act::Organise, ..READ };
const DELETE: Operation =
    Operation { method: Method::DELETE, act: Act::Organise, gives: Gives::Nothing, ..READ };

pub(super) static OPERATIONS: &[Operation] = &[
    Operation {
        path: "/benchmarks",
        id: "addBenchmark",
        about: "Makes a benchmark without editions.",
        takes: Takes::Json(schema_of::<NewBenchmark>),
        gives: Gives::Created(schema_of::<BenchmarkRow>),
        handler: Handler::Function(|call| boxed(add_benchmark(call))),
        ..POST
    },
    Operation {
        path: "/benchmarks/{slug}/record",
        id: "getBenchmarkRecord",
        about: "What the store has of a benchmark, with the version that changes need.",
        gives: Gives::Json(schema_of::<BenchmarkRow>),
        handler: Handler::Function(|call| boxed(get_benchmark(call))),
        ..READ
    },
    Operation {
        path: "/benchmarks/{slug}/editions",
        id: "listEditions",
        about: "The editions of a benchmark, the newest first.",
        gives: Gives::List(schema_of::<EditionRow>),
        handler: Handler::Function(|call| boxed(editions(call))),
        ..READ
    },
    Operation {
        path: "/benchmarks/{slug}/editions/changes",
        id: "editionChanges",
        about: "What was added, removed and changed in an edition since the one before, and what that changes in scores and ranks.",
        handler: Handler::Page(&BenchmarkPage, &[("show", "editions")]),
        ..READ
    },
    Operation {
        path: "/benchmarks/{slug}",
        id: "changeBenchmark",
        about: "Changes what is said of a benchmark; what is not given stays.",
        takes: Takes::Json(schema_of::<BenchmarkChange>),
        gives: Gives::Json(schema_of::<BenchmarkRow>),
        handler: Handler::Function(|call| boxed(change_benchmark(call))),
        ..PATCH
    },
    Operation {
        path: "/benchmarks/{slug}",
        id: "removeBenchmark",
        about: "Puts a benchmark into the trash, with its editions and the runs on them.",
        handler: Handler::Function(|call| boxed(remove_benchmark(call))),
        ..DELETE
    },
    Operation {
        path: "/systems",
        id: "addSystem",
        about: "Makes a system without runs.",
        act: Act::Submit,
        takes: Takes::Json(schema_of::<NewSystem>),
        gives: Gives::Created(schema_of::<SystemRow>),
        handler: Handler::Function(|call| boxed(add_system(call))),
        ..POST
    },
    Operation {
        path: "/systems/{slug}/record",
        id: "getSystemRecord",
        about: "What the store has of a system, with the version that changes need.",
        gives: Gives::Json(schema_of::<SystemRow>),
        handler: Handler::Function(|call| boxed(get_system(call))),
        ..READ
    },
    Operation {
        path: "/systems/{slug}",
        id: "changeSystem",
        about: "Changes what is said of a system; what is not given stays.",
        act: Act::Submit,
        takes: Takes::Json(schema_of::<SystemChange>),
        gives: Gives::Json(schema_of::<SystemRow>),
        handler: Handler::Function(|call| boxed(change_system(call))),
        ..PATCH
    },
    Operation {
        path: "/systems/{slug}",
        id: "removeSystem",
        about: "Puts a system into the trash, with its runs.",
        act: Act::Submit,
        handler: Handler::Function(|call| boxed(remove_system(call))),
        ..DELETE
    },
    Operation {
        path: "/runs/{id}/record",
        id: "getRunRecord",
        about: "What the store has of a run, with the version that changes need.",
        gives: Gives::Json(schema_of::<RunRow>),
        handler: Handler::Function(|call| boxed(get_run(call))),
        ..READ
    },
    Operation {
        path: "/runs/{id}",
        id: "changeRun",
        about: "Changes what is said of a run; what is not given stays.",
        act: Act::Submit,
        takes: Takes::Json(schema_of::<RunChange>),
        gives: Gives::Json(schema_of::<RunRow>),
        handler: Handler::Function(|call| boxed(change_run(call))),
        ..PATCH
    },
    Operation {
        path: "/runs/{id}",
        id: "removeRun",
        about: "Puts a run into the trash.",
        act: Act::Submit,
        handler: Handler::Function(|call| boxed(remove_run(call))),
        ..DELETE
    },
    Operation {
        path: "/boards",
        id: "listBoards",
        about: "The boards that were saved, by slug.",
        keys: listing::KEYS,
        gives: Gives::List(schema_of::<StoredBoard>),
        handler: Handler::Function(|call| boxed(boards(call))),
        ..READ
    },
    Operation {
        path: "/boards",
        id: "addBoard",
        about: "Saves a board: a name for a view of the board.",
        takes: Takes::Json(schema_of::<NewBoard>),
        gives: Gives::Created(schema_of::<StoredBoard>),
        handler: Handler::Function(|call| boxed(add_board(call))),
        ..POST
    },
    Operation {
        path: "/boards/{board}",
        id: "getBoard",
        about: "One saved board.",
        gives: Gives::Json(schema_of::<StoredBoard>),
        handler: Handler::Function(|call| boxed(get_board(call))),
        ..READ
    },
    Operation {
        path: "/boards/{board}",
        id: "changeBoard",
        about: "Changes a board; what a published one shows stays as it is.",
        takes: Takes::Json(schema_of::<BoardChange>),
        gives: Gives::Json(schema_of::<StoredBoard>),
        handler: Handler::Function(|call| boxed(change_board(call))),
        ..PATCH
    },
    Operation {
        path: "/boards/{board}",
        id: "removeBoard",
        about: "Puts a board into the trash.",
        handler: Handler::Function(|call| boxed(remove_board(call))),
        ..DELETE
    },
    Operation {
        path: "/boards/{board}/publish",
        id: "publishBoard",
        about: "Publishes a board: its numbers are kept as they are now, for good, with the keys of the evaluations behind them.",
        gives: Gives::Json(schema_of::<StoredBoard>),
        handler: Handler::Function(|call| boxed(publish_board(call))),
        ..POST
    },
    Operation {
        path: "/boards/{board}/entries",
        id: "listBoardEntries",
        about: "What a published board is frozen to: runs with the keys of their evaluations.",
        gives: Gives::List(schema_of::<BoardEntry>),
        handler: Handler::Function(|call| boxed(board_entries(call))),
        ..READ
    },
    Operation {
        path: "/trash",
        id: "listTrash",
        about: "What was removed and can be restored for 30 days, the newest first; what is yours, or everything for organisers of everything.",
        act: Act::Submit,
        keys: listing::KEYS,
        gives: Gives::List(schema_of::<TrashRow>),
        page: "/trash",
        handler: Handler::Function(|call| boxed(trash(call))),
        ..READ
    },
    Operation {
        path: "/benchmarks/{slug}/restore",
        id: "restoreBenchmark",
        about: "Takes a benchmark out of the trash, by its id.",
        gives: Gives::Nothing,
        handler: Handler::Function(|call| boxed(restore(call, Removable::Benchmark, "slug"))),
        ..POST
    },
    Operation {
        path: "/systems/{slug}/restore",
        id: "restoreSystem",
        act: Act::Submit,
        about: "Takes a system out of the trash, by its id.",
        gives: Gives::Nothing,
        handler: Handler::Function(|call| boxed(restore(call, Removable::System, "slug"))),
        ..POST
    },
    Operation {
        path: "/runs/{id}/restore",
        id: "restoreRun",
        act: Act::Submit,
        about: "Takes a run out of the trash, by its id.",
        gives: Gives::Nothing,
        handler: Handler::Function(|call| boxed(restore(call, Removable::Run, "id"))),
        ..POST
    },
    Operation {
        path: "/boards/{board}/restore",
        id: "restoreBoard",
        about: "Takes a board out of the trash, by its id.",
        gives: Gives::Nothing,
        handler: Handler::Function(|call| boxed(restore(call, Removable::Board, "board"))),
        ..POST
    },
];

async fn add_benchmark(mut call: Call) -> Result<Response, Problem> {
    call.allowed(Act::Organise, EVERYTHING)?;
    let new: NewBenchmark = call.json().await?;
    let row = call.store()?.add_benchmark(&call.visitor.by(), &new).await?;
    created(&format!("/benchmarks/{}/record", row.slug), Some(row.version), &row)
}

async fn get_benchmark(call: Call) -> Result<Response, Problem> {
    let row = call.seen_benchmark(call.parameter("slug")).await?;
    versioned(&call, row.version, &row)
}

async fn editions(call: Call) -> Result<Response, Problem> {
    let benchmark = call.seen_benchmark(call.parameter("slug")).await?;
    let items = call.store()?.editions(&benchmark.id).await?;
    listed(&call, &karat_store::ListPage { items, next: None })
}

async fn change_benchmark(mut call: Call) -> Result<Response, Problem> {
    let row = call.allowed_benchmark(Act::Organise, call.parameter("slug")).await?;
    let version = expected_version(&call.headers)?;
    let change: BenchmarkChange = call.json().await?;
    let by = call.visitor.by();
    let row = call.store()?.change_benchmark(&by, &row.id, version, &change).await?;
    versioned(&call, row.version, &row)
}

async fn remove_benchmark(call: Call) -> Result<Response, Problem> {
    let row = call.allowed_benchmark(Act::Organise, call.parameter("slug")).await?;
    removed(&call, Removable::Benchmark, &row.id).await
}

async fn removed(call: &Call, kind: Removable, id: &str) -> Result<Response, Problem> {
    let version = expected_version(&call.headers)?;
    call.store()?.remove(&call.visitor.by(), kind, id, version).await?;
    Ok(done())
}

async fn add_system(mut call: Call) -> Result<Response, Problem> {
    let mut new: NewSystem = call.json().await?;
    // A system belongs to who makes it; organisers may make one for somebody else.
    let own = call.visitor.person().map(|person| person.id.clone());
    if !call.visitor.may(Act::Organise, EVERYTHING) || new.owner.is_none() {
        new.owner = own;
    }
    let row = call.store()?.add_system(&call.visitor.by(), &new).await?;
    created(&format!("/systems/{}/record", row.slug), Some(row.version), &row)
}

async fn get_system(call: Call) -> Result<Response, Problem> {
    let row = call.store()?.system(call.parameter("slug")).await?;
    versioned(&call, row.version, &row)
}

/// A system that the caller may change: it is for its owner, and for organisers.
async fn own_system(call: &Call) -> Result<SystemRow, Problem> {
    let row = call.store()?.system(call.parameter("slug")).await?;
    let person = call.visitor.person().map(|person| person.id.as_str());
    if person.is_none() || row.owner.as_deref() != person {
        call.allowed(Act::Organise, EVERYTHING)?;
    }
    Ok(row)
}

async fn change_system(mut call: Call) -> Result<Response, Problem> {
    let row = own_system(&call).await?;
    let version = expected_version(&call.headers)?;
    let change: SystemChange = call.json().await?;
    let by = call.visitor.by();
    let row = call.store()?.change_system(&by, &row.id, version, &change).await?;
    versioned(&call, row.version, &row)
}

async fn remove_system(call: Call) -> Result<Response, Problem> {
    let row = own_system(&call).await?;
    removed(&call, Removable::System, &row.id).await
}

async fn get_run(call: Call) -> Result<Response, Problem> {
    let seen = call.seen_run(call.parameter("id")).await?;
    versioned(&call, seen.run.version, &seen.run)
}

async fn change_run(mut call: Call) -> Result<Response, Problem> {
    let seen = call.seen_run(call.parameter("id")).await?;
    seen.may_be_changed_by(&call)?;
    let version = expected_version(&call.headers)?;
    let change: RunChange = call.json().await?;
    let by = call.visitor.by();
    let row = call.store()?.change_run(&by, &seen.run.id, version, &change).await?;
    versioned(&call, row.version, &row)
}

async fn remove_run(call: Call) -> Result<Response, Problem> {
    let seen = call.seen_run(call.parameter("id")).await?;
    seen.may_be_changed_by(&call)?;
    removed(&call, Removable::Run, &seen.run.id).await
}

async fn boards(call: Call) -> Result<Response, Problem> {
    let page = call.store()?.boards(&listing::from(&call)?).await?;
    listed(&call, &page)
}

async fn add_board(mut call: Call) -> Result<Response, Problem> {
    call.allowed(Act::Organise, EVERYTHING)?;
    let mut new: NewBoard = call.json().await?;
    new.query = checked_query(&call, new.query).await?;
    let row = call.store()?.add_board(&call.visitor.by(), &new).await?;
    created(&format!("/boards/{}", row.slug), Some(row.version), &row)
}

async fn get_board(call: Call) -> Result<Response, Problem> {
    let row = call.store()?.board(call.parameter("board")).await?;
    versioned(&call, row.version, &row)
}

async fn change_board(mut call: Call) -> Result<Response, Problem> {
    call.allowed(Act::Organise, EVERYTHING)?;
    let version = expected_version(&call.headers)?;
    let mut change: BoardChange = call.json().await?;
    if let Some(query) = change.query {
        change.query = Some(checked_query(&call, query).await?);
    }
    let store = call.store()?;
    let row = store.board(call.parameter("board")).await?;
    let row = store.change_board(&call.visitor.by(), &row.id, version, &change).await?;
    versioned(&call, row.version, &row)
}

/// A query as boards write it, if a board can show it.
async fn checked_query(call: &Call, query: String) -> Result<String, Problem> {
    let shared = Arc::clone(&call.shared);
    let check = move || saved::checked_query(&shared.workbench, &query);
    let checked = tokio::task::spawn_blocking(check).await;
    Ok(checked.map_err(|_| Problem::failed("the query could not be checked"))??)
}

async fn publish_board(call: Call) -> Result<Response, Problem> {
    call.allowed(Act::Organise, EVERYTHING)?;
    let board = call.store()?.board(call.parameter("board")).await?;
    let (shared, by) = (Arc::clone(&call.shared), call.visitor.by());
    // A board is computed, so it is made on a thread where waiting is no harm.
    let publish = move || match &shared.workspace {
        Some(workspace) => saved::publish(&shared.workbench, workspace, &by, &board),
        None => Err(crate::refusal::Refusal::missing("workspace", "", [])),
    };
    let published = tokio::task::spawn_blocking(publish).await;
    let row = published.map_err(|_| Problem::failed("the board could not be published"))??;
    versioned(&call, row.version, &row)
}

async fn board_entries(call: Call) -> Result<Response, Problem> {
    let store = call.store()?;
    let board = store.board(call.parameter("board")).await?;
    let mut items = Vec::new();
    for entry in store.board_entries(&board.id).await? {
        // A benchmark that is not for this caller any more is not named; one that is gone was for everybody.
        let is_seen = match store.edition(&entry.edition).await {
            Ok(edition) => call.seen_benchmark(&edition.benchmark).await.is_ok(),
            Err(_) => true,
        };
        if is_seen {
            items.push(entry);
        }
    }
    listed(&call, &karat_store::ListPage { items, next: None })
}

async fn remove_board(call: Call) -> Result<Response, Problem> {
    call.allowed(Act::Organise, EVERYTHING)?;
    let row = call.store()?.board(call.parameter("board")).await?;
    removed(&call, Removable::Board, &row.id).await
}

async fn trash(call: Call) -> Result<Response, Problem> {
    let own = match call.visitor.may(Act::Organise, EVERYTHING) {
        true => None,
        // An id that nobody has finds nothing.
        false => Some(call.visitor.person().map_or("", |person| person.id.as_str())),
    };
    let page = call.store()?.trash(own, &listing::from(&call)?).await?;
    listed(&call, &page)
}

async fn restore(call: Call, kind: Removable, id: &str) -> Result<Response, Problem> {
    let (store, id) = (call.store()?, call.parameter(id));
    let row = store.in_trash(kind, id).await?;
    if !ThingRights::from(&row).allow(&call.visitor) {
        return Err(Problem::missing(kind.word(), id));
    }
    store.restore(&call.visitor.by(), kind, id).await?;
    Ok(done())
}

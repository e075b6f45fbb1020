//! Ctrl-C, for commands that must leave nothing half-written.

use karat::model::Cancel;
use std::sync::mpsc::channel;

/// Waits until somebody wants the process to end: Ctrl-C, or what a service manager sends. `listening` is called
/// when none of these can end the process any more.
pub(crate) async fn interrupted(listening: impl FnOnce()) {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let signals = [SignalKind::interrupt(), SignalKind::terminate()].map(signal);
        if let [Ok(mut interrupted), Ok(mut terminated)] = signals {
            listening();
            tokio::select! {
                _ = interrupted.recv() => {}
                _ = terminated.recv() => {}
            }
            return;
        }
    }
    // Where there is no such signal, or it cannot be listened to.
    listening();
    let _ = tokio::signal::ctrl_c().await;
}

/// A token that is cancelled when somebody wants the process to end. Where nobody can listen, a signal ends the
/// process as it always does.
pub(crate) fn cancelled_by_interrupt() -> Cancel {
    let cancel = Cancel::default();
    let token = cancel.clone();
    let (listening, is_listening) = channel::<()>();
    let listen = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let Ok(runtime) = runtime else { return };
        runtime.block_on(interrupted(|| drop(listening)));
        token.cancel();
    };
    if std::thread::Builder::new().name("interrupt".to_owned()).spawn(listen).is_ok() {
        // Until the other end is dropped: files that a signal would leave behind are not begun before.
        let _ = is_listening.recv();
    }
    cancel
}

//! `karat verify demo`

use crate::commands::serve::open_in_browser;
use crate::failure::Failure;
use crate::interrupt::interrupted;
use crate::show;
use clap::Args;
use karat_web::server::Access;
use karat_web::serving::{ServedContent, Serving, Started};
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};

/// Try a small campaign in a browser, on the built-in sample
///
/// Three co-annotators are simulated: their answers are drawn at random from a seed, two of them err rarely and
/// one verifies too much. You are the fourth. Judge some items, look at agreement and results, decide what is
/// disputed, and apply the corrections to the sample to see scores change. Nothing is kept when it ends.
#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// The port to listen on, on this machine; 0 is any that is free
    #[arg(long, value_name = "PORT", default_value_t = 8765)]
    port: u16,
    /// What the random numbers depend on
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Open the campaign in a browser
    #[arg(long)]
    open: bool,
}

impl Demo {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let serving = Serving {
            shown: ServedContent::Campaign { seed: self.seed },
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, self.port)),
            access: Access::Key,
            invite_owner: false,
            front: String::new(),
            kb: None,
        };
        serving.run(|started| self.tell(started), interrupted(|| {}))
    }

    fn tell(&self, started: &Started) -> Result<(), Failure> {
        let Some(demo) = &started.campaign else { return Ok(()) };
        let made = &demo.made;
        show::say(&format!(
            "{} co-annotators are simulated: their {} judgements are drawn at random, with the seed {}; they take gold to be wrong in {} places",
            made.simulated, made.judgements, self.seed, made.doubted
        ));
        show::say("judge some items, as the fourth person:");
        writeln!(std::io::stdout(), "{}", demo.judging)?;
        show::say("see how the campaign goes, decide what is disputed, correct the sample:");
        writeln!(std::io::stdout(), "{}", demo.organising)?;
        show::say("press Ctrl+C to end it");
        if self.open {
            open_in_browser(&demo.judging);
        }
        Ok(())
    }
}

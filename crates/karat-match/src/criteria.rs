//! Which items a measure looks at, and what must agree.

bitflags::bitflags! {
    /// What gold and prediction must agree in.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub struct Agreement: u8 {
        /// The span, as strictly as the settings say; without it the document is what counts.
        const SPAN = 1;
        /// The entity; all NIL are the same.
        const ENTITY = 1 << 1;
        /// The types.
        const TYPE = 1 << 2;
        /// The entity, and for NIL the cluster.
        const CLUSTER = 1 << 3;
    }
}

/// Which items are looked at, on both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Keep {
    /// All.
    All,
    /// Those with an entity.
    Linked,
    /// Those without.
    Nil,
    /// The first mention of each entity in its document.
    First,
}

/// Which predictions are looked at, given the gold mentions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Given {
    /// All: finding mentions is part of the task.
    Nothing,
    /// Those exactly on a gold mention: mentions were given.
    Mentions,
    /// Those exactly on a gold mention that has an entity; gold without one is left out too.
    LinkedMentions,
}

/// Which items a measure looks at, and what must agree for two to be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Criteria {
    /// Which items.
    pub keep: Keep,
    /// What must agree.
    pub agree: Agreement,
    /// Which predictions.
    pub given: Given,
}

impl Criteria {
    /// Spans alone.
    pub const MENTION: Criteria = Criteria::new(Keep::All, Agreement::SPAN);
    /// Right entity on the right span.
    pub const LINK: Criteria =
        Criteria::new(Keep::Linked, Agreement::SPAN.union(Agreement::ENTITY));

    /// These items, with this agreement.
    pub const fn new(keep: Keep, agree: Agreement) -> Criteria {
        Criteria { keep, agree, given: Given::Nothing }
    }

    /// Whether what a mention is linked to matters, beyond its span and type.
    pub fn is_about_links(&self) -> bool {
        self.keep != Keep::All || self.agree.intersects(Agreement::ENTITY | Agreement::CLUSTER)
    }

    /// The same, with mentions given.
    pub const fn given(mut self, given: Given) -> Criteria {
        self.given = given;
        self
    }
}

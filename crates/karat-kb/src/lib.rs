//! Identity of entities.

//! A run for Foxglove and Lichtblick: their live connection, over the server that also gives out the page.
//!
//! | module      | content                                                                                  |
//! |-------------|------------------------------------------------------------------------------------------|
//! | [`Feed`]    | what there is to be subscribed to, who is let in                                         |
//! | `player`    | rows as they come from a run that goes on, or from the results of one that has ended     |
//! | `client`    | one client, from its first subscription to its end                                       |
//! | `protocol`  | the messages of the protocol                                                             |
//! | `scene`     | the system as transforms and as things to be drawn; meshes as `glb`                      |
//! | `websocket` | frames of WebSocket; its opening needs `sha1`                                            |
//!
//! The topics of numbers are those of the MCAP log (`supple_io::results::Topics`), and so are their messages, to the byte. To them come
//! `/bodies`, transforms of all bodies, `/scene`, their shapes with the deformation, and, of a run that goes on, `/log`, its warnings.

pub(crate) mod client;
mod feed;
mod glb;
mod player;
mod protocol;
mod scene;
mod sha1;
mod websocket;

pub use feed::Feed;

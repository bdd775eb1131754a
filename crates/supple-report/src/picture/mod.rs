//! Pictures for papers: frames of a motion and plots of columns as drawings, and drawings as PNG. No browser is needed.
//!
//! | module      | content                                                                      |
//! |-------------|------------------------------------------------------------------------------|
//! | `frame`     | [`frame()`]: a system at one time or several, as it is drawn by [`FramePicture`] |
//! | `camera`    | parallel projection                                                          |
//! | `parts`     | a system as rods, faces and balls; beams between their nodes in `line`       |
//! | `covers`    | bodies with shapes of their own, by their `patches`                          |
//! | `closures`  | marks of closures                                                            |
//! | `paint`     | which of them cover which                                                    |
//! | `quantity`  | what colours tell: deflection, strain, curvature                             |
//! | `furniture` | axes, scale bar, legend, caption                                             |
//! | `chart`     | [`chart()`]: curves over linear and logarithmic axes                         |
//! | `bars`      | [`bars()`]: numbers by name                                                  |
//! | `map`       | [`maps()`]: numbers over two axes as colours                                 |
//! | `plots`     | [`plots()`]: the plots of a run by name                                      |
//! | `rounding`  | what of a curve is rounding                                                  |
//! | `raster`    | [`png()`]: a drawing as pixels, with letters of its own                      |

mod bars;
mod camera;
mod chart;
mod closures;
mod covers;
mod error;
mod frame;
mod furniture;
mod line;
mod map;
mod paint;
mod parts;
mod patches;
mod plots;
mod quantity;
mod raster;
mod rounding;
mod solids;

pub use bars::{Bars, Interval, bars};
pub use camera::{Camera, Fit, View};
pub use chart::{Axis, Chart, Curve, Mark, Panel, Scale, chart};
pub use error::PictureError;
pub use frame::{FramePicture, Ghost, frame, smallest};
pub(crate) use frame::{LOOKS, Studio, looks, within};
pub(crate) use line::LineShape;
pub use map::{Field, Maps, maps};
pub(crate) use patches::{Patches, patches};
pub use plots::{Plot, chosen, plots, series};
pub use quantity::Quantity;
pub use raster::png;
pub(crate) use raster::{painted, pixels};
pub(crate) use rounding::Sizes;

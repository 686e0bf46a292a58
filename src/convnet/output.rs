//! What an evaluation returns.

/// The heads of a net, from the side to move. 256 is 1.0.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct ConvNetOutput {
    /// Logits of the moves, `[row][column]`.
    pub moves: Vec<i16>,
    /// Logit of a pass, among those of the moves.
    pub pass: i16,
    pub win: i16,
    /// Logit of a draw, among those of the result.
    pub draw: i16,
    pub loss: i16,
    /// Expected lead after komi: 1.0 is 20 points.
    pub score: i16,
    /// Standard deviation of the lead: 20 · ln(1 + e^spread) points.
    pub spread: i16,
    /// `[row][column]`: tanh of it is 1 where a point will be the side's own, −1 where it will be the
    /// opponent's.
    pub owner: Vec<i16>,
}

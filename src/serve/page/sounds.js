// Short sounds for moves, which the browser makes itself.

/** Tones by what has happened: from a pitch to another in Hz, for seconds, how loud. */
const TONES = {
  move: [[340, 120, 0.07, 0.5]],
  capture: [[340, 120, 0.06, 0.5], [210, 80, 0.09, 0.6]],
  check: [[340, 120, 0.06, 0.4], [660, 650, 0.16, 0.18]],
  end: [[392, 390, 0.22, 0.18], [523, 520, 0.22, 0.18], [659, 655, 0.4, 0.18]],
};

let context = null;

const pieces = position => (position?.fen ?? "").split(" ")[0].replace(/[^a-z]/gi, "").length;
const captured = position => (position?.captures ?? []).reduce((sum, n) => sum + n, 0);

/** What the move between two positions sounds like. */
export function soundOf(before, after) {
  if (after.ending) return "end";
  if (after.check) return "check";
  return before && (pieces(after) < pieces(before) || captured(after) > captured(before)) ? "capture" : "move";
}

/** Makes a sound. A browser allows none before the page is touched, and a tab that is hidden is silent. */
export function sound(name) {
  if (document.hidden || !navigator.userActivation?.hasBeenActive || !globalThis.AudioContext) return;
  context ??= new AudioContext();
  let at = context.currentTime;
  for (const [from, to, seconds, volume] of TONES[name]) {
    const tone = context.createOscillator(), gain = context.createGain();
    tone.type = "triangle";
    tone.frequency.setValueAtTime(from, at);
    tone.frequency.exponentialRampToValueAtTime(to, at + seconds);
    gain.gain.setValueAtTime(volume, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    tone.connect(gain).connect(context.destination);
    tone.start(at);
    tone.stop(at + seconds);
    at += 0.7 * seconds;
  }
}

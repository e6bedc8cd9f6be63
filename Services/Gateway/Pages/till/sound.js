// Two tones up for paid, one low for not: heard where nobody looks.

let context;

/** Plays the result. A browser that has not been touched yet stays silent. */
export function play(isGood) {
  if (!("AudioContext" in window)) return;
  context ??= new AudioContext();
  const tones = isGood ? [[660, 0, 0.12], [990, 0.12, 0.2]] : [[220, 0, 0.35]];
  for (const [hertz, after, seconds] of tones) {
    const tone = new OscillatorNode(context, { frequency: hertz, type: isGood ? "sine" : "triangle" });
    const volume = new GainNode(context, { gain: 0.2 });
    tone.connect(volume).connect(context.destination);
    const start = context.currentTime + after;
    // A tone that is cut off clicks.
    volume.gain.setTargetAtTime(0, start + seconds * 0.7, seconds / 8);
    tone.start(start);
    tone.stop(start + seconds);
  }
}

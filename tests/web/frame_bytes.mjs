// Encodes frames like the engine (docs/viewer-protocol.md), for the mock engine and for replay files of the tests.

export function encodeFrame({
  revision,
  time,
  step,
  flags = 0,
  solves = 1,
  poses,
  joints = [],
  contacts = [],
  plots = [],
  target = [NaN, NaN, NaN]
}) {
  const numbers = [...poses.flat(), ...joints.flat(), ...contacts.flat(), ...plots, ...target];
  const bytes = Buffer.alloc(48 + 4 * numbers.length);
  bytes.writeUInt32LE(0x54554154, 0);
  bytes.writeUInt32LE(revision, 4);
  bytes.writeDoubleLE(time, 8);
  bytes.writeDoubleLE(step, 16);
  [flags, solves, poses.length, joints.length, contacts.length, plots.length].forEach(
      (n, i) => bytes.writeUInt32LE(n, 24 + 4 * i));
  numbers.forEach((n, i) => bytes.writeFloatLE(n, 48 + 4 * i));
  return bytes;
}

// Each preceded by its length, as base64.
export function encodeRecording(frames) {
  const parts = frames.flatMap(frame => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(frame.length);
    return [length, frame];
  });
  return Buffer.concat(parts).toString('base64');
}

// A frame encoded by hand, independent of the encoder of the engine.
export function sampleFrame({bodies = 2, joints = 1, contacts = 1, plots = 2, time = 1.5, revision = 7} = {}):
    ArrayBuffer {
  const floats = 7 * bodies + 6 * joints + 9 * contacts + plots + 3;
  const buffer = new ArrayBuffer(48 + 4 * floats);
  const view = new DataView(buffer);
  view.setUint32(0, 0x54554154, true);
  view.setUint32(4, revision, true);
  view.setFloat64(8, time, true);
  view.setFloat64(16, 90, true);
  view.setUint32(24, 4, true);
  view.setUint32(28, 3, true);
  [bodies, joints, contacts, plots].forEach((n, i) => view.setUint32(32 + 4 * i, n, true));
  for (let i = 0; i < floats; ++i) view.setFloat32(48 + 4 * i, i < floats - 3 ? i : NaN, true);
  return buffer;
}

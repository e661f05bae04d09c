// Writes a replay file of the mock scene according to docs/viewer-protocol.md: inlined script and style, embedded scene and
// frames. Returns its path.
import fs from 'node:fs';
import path from 'node:path';
import {encodeRecording} from './frame_bytes.mjs';
import {makeFrame, makeScene} from './mock_scene.mjs';
import {dist} from './web_folder.mjs';

export function writeReplay(folder, {seconds = 6, rate = 60, diverged = false, name = 'replay.html'} = {}) {
  const read = name => fs.readFileSync(path.join(dist, name), 'utf8');
  const scene = makeScene(1, 15000, ['energy.total', 'energy.kinetic', 'gap.max']);
  const last = seconds * rate;
  const frames =
      Array.from({length: last + 1}, (_, i) => makeFrame(scene, i / rate, {flags: diverged && i === last ? 2 : 0}));
  const data = `<script type="application/json" id="taut-scene">${
                   JSON.stringify({...scene, scenes: []}).replaceAll('</', '<\\/')}</script>\n` +
      `<script type="application/octet-stream" id="taut-frames">${encodeRecording(frames)}</script>\n` +
      (diverged ? '<script type="application/json" id="taut-end">{"failure":"joint gap too large"}</script>\n' : '');
  // replacement functions, because a script may contain "$&"
  const page =
      read('index.html')
          .replace('<link rel="stylesheet" href="viewer.css">', () => `<style>${read('viewer.css')}</style>`)
          .replace('<script src="viewer.js" defer></script>', () => `${data}<script>${read('viewer.js')}</script>`);
  const file = path.join(folder, name);
  fs.writeFileSync(file, page);
  return file;
}

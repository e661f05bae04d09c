// Plays the recording of the page if there is one; otherwise connects to the engine that served the page.
import 'uplot/dist/uPlot.min.css';
import './viewer.css';
import {bindControls, bindKeys, bindMouse} from './bindings';
import {el} from './dom';
import {makeHooks} from './hooks';
import {LiveEngine, streamAddress} from './live';
import {findRecording, Replay, type Recording} from './replay';
import {Viewer} from './viewer';

function startReplay(recording: Recording): void {
  const replay: Replay = new Replay(recording, (frame, before) => viewer.showFrame(frame, before));
  const viewer = new Viewer(replay, () => false);
  viewer.showRecording(recording);
  run(viewer, replay, () => true);
  // rendering starts paused: the scale of arrows depends on the frames shown before
  if (window.location.hash !== '#still') replay.play();
}

function startLive(): void {
  let connected = false;
  const engine: LiveEngine = new LiveEngine(streamAddress(window.location), {
    message: message => {
      if (message.type === 'scene')
        viewer.showScene(message);
      else if (message.type === 'status')
        viewer.showStatus(message);
      else {
        viewer.notices.say(`${message.command}: ${message.reason}`);
        if (message.command === 'plots') viewer.plotsRefused();
        if (message.command === 'control') viewer.controls.refused();
        if (message.command === 'set' || message.command === 'settings') viewer.settingRefused();
      }
    },
    frame: frame => viewer.showFrame(frame),
    connected: yes => {
      connected = yes;
      viewer.notices.showLost(!yes);
      if (yes)
        viewer.spring?.connected();
      else {
        viewer.spring?.end();
        viewer.controls.letGo();
      }
    },
    invalidMessage: text => viewer.notices.say(`invalid message from the engine: ${text}`),
  });
  const viewer = new Viewer(engine, command => engine.send(command));
  run(viewer, null, () => connected);
}

function run(viewer: Viewer, replay: Replay|null, connected: () => boolean): void {
  bindKeys(viewer);
  bindMouse(viewer);
  if (!replay) bindControls(viewer);
  window.taut = makeHooks(viewer, replay, connected);
  viewer.resize();
  let last = performance.now();
  const turn = (now: number): void => {
    const dt = Math.min(0.25, Math.max(0, (now - last) / 1000));
    last = now;
    replay?.advance(dt);
    viewer.advance(dt);
    requestAnimationFrame(turn);
  };
  requestAnimationFrame(turn);
}

try {
  const recording = findRecording(document);
  if (recording)
    startReplay(recording);
  else
    startLive();
} catch (error) {
  // no WebGL or a truncated recording: show the error instead of an empty page
  console.error(error);
  document.body.append(
      el('pre', {class: 'fatal', id: 'fatal'}, `This page cannot be shown: ${(error as Error).message}`));
}

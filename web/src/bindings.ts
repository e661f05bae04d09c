// Assigns keys and mouse actions to functions of the viewer.
import {isTextField} from './key_names';
import {Keys} from './keys';
import {nextSpeed} from './player';
import {type Scene} from './protocol';
import {type Viewer} from './viewer';

export function bindKeys(viewer: Viewer): Keys {
  const {player, display, layout} = viewer;
  const toggle = (key: keyof typeof display) => (): void => {
    display[key] = !display[key];
    viewer.panels.refresh();
    viewer.touch();
  };
  const turn = (by: number) => (): void => {
    viewer.notices.say(`camera: ${viewer.camera.nextView(by)}`);
    viewer.touch();
  };
  const panels = (side: 'all'|'left'|'right') => (): void => {
    layout.toggle(side);
    viewer.resize();
  };
  const keys: Keys = new Keys([
    {keys: ['F1'], does: 'show this help', act: () => keys.toggleHelp()},
    {keys: [' '], label: 'Space', does: 'play or pause', act: () => viewer.transport.toggle()},
    {keys: ['ArrowRight'], label: '→', does: 'one step forward', act: () => player.step(1)},
    {keys: ['ArrowLeft'], label: '←', does: 'one step back', act: () => player.step(-1)},
    {keys: ['+', '='], label: '+', does: 'faster', act: () => player.setSpeed(nextSpeed(player.speed, 1))},
    {keys: ['-', '_'], label: '−', does: 'slower', act: () => player.setSpeed(nextSpeed(player.speed, -1))},
    {keys: ['Backspace'], does: 'reset', act: () => player.reset()},
    {keys: ['['], does: 'previous camera', act: turn(-1)},
    {keys: [']'], does: 'next camera', act: turn(1)},
    {
      keys: ['Escape'],
      label: 'Esc',
      does: 'free camera, clear selection',
      act: () => {
        if (keys.helpIsOpen)
          keys.toggleHelp(false);
        else
          viewer.select(-1);
      }
    },
    {
      keys: ['PageUp'],
      label: 'Page up',
      does: 'select the parent of the selected body',
      act: () => viewer.select(carrierOf(viewer))
    },
    {keys: ['F2'], does: 'show or hide all panels', act: panels('all')},
    {keys: ['F3'], does: 'show or hide controls and settings', act: panels('right')},
    {keys: ['F4'], does: 'show or hide the plots', act: panels('left')},
    {keys: ['t', 'T'], label: 'T', does: 'colour bodies by force', act: toggle('forces')},
    {keys: ['c', 'C'], label: 'C', does: 'show contact forces', act: toggle('contacts')},
    {keys: ['j', 'J'], label: 'J', does: 'show joints', act: toggle('joints')},
    {
      keys: ['f', 'F'],
      label: 'F',
      does: 'show frames of bodies, and of joints if shown',
      act: toggle('frames')
    },
    {keys: ['g', 'G'], label: 'G', does: 'show the grid', act: toggle('grid')},
  ], viewer.controls);
  viewer.onHelp = () => keys.toggleHelp();
  return keys;
}

// Releases of keys and gamepads: everything after which the browser would not report them.
export function bindControls({controls}: Viewer): void {
  window.addEventListener('keyup', event => controls.keyUp(event), {capture: true});
  window.addEventListener('blur', () => controls.releaseKeys());
  document.addEventListener('focusin', ({target}) => {
    if (isTextField(target)) controls.releaseKeys();
  });
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) controls.letGo();
  });
  window.addEventListener('pagehide', () => controls.letGo());
  for (const change of ['gamepadconnected', 'gamepaddisconnected'])
    window.addEventListener(change, () => controls.gamepadsChanged());
  controls.gamepadsChanged();  // those that were used before the page was loaded again
}

export function bindMouse(viewer: Viewer): void {
  const canvas = viewer.stage.renderer.domElement;
  canvas.addEventListener('contextmenu', event => event.preventDefault());
  // After use the focus is removed, otherwise the space bar would press the focused button again; elements that are used by
  // keyboard keep it.
  let typedAt: EventTarget|null = null;
  window.addEventListener('pointerdown', () => { typedAt = null; }, {capture: true});
  window.addEventListener('keydown', ({target}) => { typedAt = target; }, {capture: true});
  const done = (what: EventTarget|null): void => {
    if (what !== typedAt && what instanceof HTMLElement) what.blur();
  };
  document.addEventListener('click', () => {
    if (document.activeElement instanceof HTMLButtonElement) done(document.activeElement);
  });
  document.addEventListener('change', ({target}) => {
    if (target instanceof HTMLSelectElement || target instanceof HTMLInputElement && target.type === 'checkbox')
      done(target);
  });
  document.addEventListener('pointerup', ({target}) => {
    if (target instanceof HTMLInputElement && target.type === 'range') done(target);
  });
  viewer.picking.onDoubleClick(event => {
    const hit = viewer.picking.pick(event);
    if (event.button === 0 && !event.ctrlKey) viewer.select(hit?.body ?? -1);
    if (event.button !== 2 || !hit) return;
    if (event.ctrlKey && hit.body > 0) {
      viewer.select(hit.body);
      viewer.camera.follow(hit.body);
    } else
      viewer.camera.centre(hit.point);
    viewer.touch();
  });
}

// The parent of a body: the body with a smaller index that is connected to it by a joint.
function carrierOf(viewer: Viewer): number {
  const {scene, selected} = viewer;
  if (!scene || selected < 0) return selected;
  const others = (scene as Scene)
                     .joints.filter(joint => joint.bodies.includes(selected))
                     .flatMap(joint => joint.bodies)
                     .filter(body => body !== selected && body > 0);
  const earlier = others.filter(body => body < selected);
  return earlier.length > 0 ? Math.max(...earlier) : others[0] ?? selected;
}

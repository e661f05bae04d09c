// Which key and which click does what.
import {Keys} from './keys';
import {nextSpeed} from './player';
import {type Scene} from './protocol';
import {type Viewer} from './viewer';

export function bindKeys(viewer: Viewer): Keys {
  const {player, looks, layout} = viewer;
  const toggle = (key: keyof typeof looks) => (): void => {
    looks[key] = !looks[key];
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
    {keys: ['F1'], does: 'this page', act: () => keys.toggleHelp()},
    {keys: [' '], label: 'Space', does: 'play or pause', act: () => viewer.transport.toggle()},
    {keys: ['ArrowRight'], label: '→', does: 'one step', act: () => player.step(1)},
    {keys: ['ArrowLeft'], label: '←', does: 'one step back', act: () => player.step(-1)},
    {keys: ['+', '='], label: '+', does: 'faster', act: () => player.setSpeed(nextSpeed(player.speed, 1))},
    {keys: ['-', '_'], label: '−', does: 'slower', act: () => player.setSpeed(nextSpeed(player.speed, -1))},
    {keys: ['Backspace'], does: 'reset', act: () => player.reset()},
    {keys: ['['], does: 'camera before', act: turn(-1)},
    {keys: [']'], does: 'next camera', act: turn(1)},
    {
      keys: ['Escape'],
      label: 'Esc',
      does: 'free camera, nothing selected',
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
      does: 'select the body that carries the selected one',
      act: () => viewer.select(carrierOf(viewer))
    },
    {keys: ['F2', 'Tab'], label: 'F2, Tab', does: 'panels on and off', act: panels('all')},
    {keys: ['F3'], does: 'controls on and off', act: panels('right')},
    {keys: ['F4'], does: 'plots on and off', act: panels('left')},
    {keys: ['t', 'T'], label: 'T', does: 'colour by force', act: toggle('forces')},
    {keys: ['c', 'C'], label: 'C', does: 'contact forces', act: toggle('contacts')},
    {keys: ['j', 'J'], label: 'J', does: 'joints', act: toggle('joints')},
    {
      keys: ['f', 'F'],
      label: 'F',
      does: 'frames of bodies, and of joints where these are shown',
      act: toggle('frames')
    },
    {keys: ['g', 'G'], label: 'G', does: 'grid', act: toggle('grid')},
  ]);
  viewer.onHelp = () => keys.toggleHelp();
  return keys;
}

export function bindMouse(viewer: Viewer): void {
  const canvas = viewer.stage.renderer.domElement;
  canvas.addEventListener('contextmenu', event => event.preventDefault());
  // whatever keeps the focus after it was used takes the keys: a button would be pressed again by the space bar
  const done = (what: EventTarget|null): void => {
    if (what instanceof HTMLElement) what.blur();
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
  viewer.pointing.onDoubleClick(event => {
    const hit = viewer.pointing.pick(event);
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

// The body at the other side of a joint that comes before this one: scenes are written from the ground up.
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

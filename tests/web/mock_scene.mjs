// A scene with known motion: links and a load on a post, swinging as one pendulum; a crate on the ground;
// a weight on a spring; a ball on a rod. It replaces the engine in tests that need exact or invalid data.
import {encodeFrame} from './frame_bytes.mjs';

const kLinks = 8, kLength = 0.5, kTop = 6, kStill = [0, 0, 0, 1];
const at = (p, q = kStill) => ({p, q});
const shape = (kind, size, colour, p = [0, 0, 0]) => ({kind, size, colour, ...at(p)});

function bodies(load) {
  const body = (name, kind, mass, ...shapes) => ({name, kind, mass, com: [0, 0, 0], shapes});
  return [
    body('world', 'fixed', 0, shape('plane', [0, 0, 0], '')),
    body(
        'post', 'fixed', 0, shape('box', [0.4, 0.4, kTop + 0.3], '#888888', [-1.5, 0, (kTop + 0.3) / 2]),
        shape('box', [2, 0.3, 0.3], '#e8c020', [-0.7, 0, kTop + 0.15])),
    ...Array.from(
        {length: kLinks},
        (_, i) => body(`link${i + 1}`, 'rigid', 8, shape('capsule', [0.05, 0, kLength - 0.1], '#000000'))),
    body('load', 'rigid', load, shape('box', [1.2, 1.2, 0.8], '#e8801a')),
    body('crate', 'rigid', 40, shape('box', [0.8, 0.8, 0.8], '#8b5a2b')),
    body('weight', 'rigid', 10, shape('cylinder', [0.3, 0, 0.3], '#20b0c0')),
    body('ball', 'particle', 2),
  ];
}

export function makeScene(revision, load, plots) {
  const list = bodies(load);
  const n = name => list.findIndex(body => body.name === name);
  const half = kLength / 2;
  const joints = Array.from(
      {length: kLinks + 1},
      (_, i) => ({
        name: i === kLinks ? 'hook' : `joint${i + 1}`,
        type: 'ball',
        bodies: [i === 0 ? n('post') : n(`link${i}`), i === kLinks ? n('load') : n(`link${i + 1}`)],
        frames: [i === 0 ? at([0, 0, kTop]) : at([0, 0, -half]), i === kLinks ? at([0, 0, 0.4]) : at([0, 0, half])],
      }));
  joints.push({name: 'bar', type: 'rod', bodies: [0, n('ball')], frames: [at([3, 1, 4]), at([0, 0, 0])]});
  const parameter = (name, value, lowest, highest, unit, adjustable = true) =>
      ({name, value: String(value), lowest, highest, choices: [], unit, doc: `the ${name}`, adjustable});
  return {
    type: 'scene',
    version: 1,
    revision,
    name: 'mock',
    title: `A load of ${load / 1000} t on eight links`,
    file: 'mock.yaml',
    duration: 20,
    size: 9,
    gravity: [0, 0, -9.81],
    bodies: list,
    joints,
    springs: [{name: 'coil', kind: 'linear', bodies: [0, n('weight')], frames: [at([2.2, -1.5, 4]), at([0, 0, 0.15])]}],
    parameters: [
      parameter('load', load, 1, 1e6, 'kg'), parameter('links', kLinks, 1, 100, ''),
      parameter('turn', 0.3, null, null, 'rad/s'),
      {...parameter('joint', 'ball', null, null, ''), choices: ['ball', 'hinge']},
      parameter('boom', 16, 8, 40, 'm', false)
    ],
    controls: kControls,
    readings: [
      ['energy.total', 'J'], ['energy.kinetic', 'J'], ['gap.max', 'm'], ['body.load.z', 'm'], ['joint.hook.force', 'N']
    ].map(([name, unit]) => ({name, unit, doc: `reading ${name}`})),
    plots,
    choices: {scheme: ['bdf2', 'backward_euler'], stabilisation: ['none', 'tension'], solver: ['ldlt', 'dense_lu']},
    scenes: [{name: 'mock', title: 'A load on eight links'}, {name: 'other', title: 'Another'}],
  };
}

// Both signs, a key of the viewer (c), a key of a switch, two controls on one axis, and one with a slider only.
const axis = (name, unit, lowest, highest, keys, gamepad, value = 0) =>
    ({name, unit, lowest, highest, value, type: 'axis', keys, gamepad, doc: `wanted ${name}`});
const kControls = [
  axis('slew', 'rad/s', -0.5, 0.5, ['d', 'a'], {axis: 0, reversed: false}),
  axis('hoist', 'm/s', -1, 2, ['w', 's'], {axis: 1, reversed: true}),
  axis('trolley', 'm/s', -1, 1, ['c', 'x'], {axis: 0, reversed: true}),
  axis('wind', 'm/s', 0, 30, [], null, 5),
  {...axis('brake', '', 0, 1, ['b'], {button: 0}), type: 'switch'},
];

// The state at a time, as the bytes of a frame. `shift` moves the crate, as the mouse spring would.
export function makeFrame(scene, time, {flags = 0, shift = [0, 0, 0], target} = {}) {
  const angle = 0.35 * Math.sin(1.3 * time);
  const turned = [0, -Math.sin(angle / 2), 0, Math.cos(angle / 2)];
  const down = along => [along * Math.sin(angle), 0, kTop - along * Math.cos(angle)];
  const load = scene.bodies.find(body => body.name === 'load').mass;
  const bob = 0.4 * Math.cos(3 * time);
  const poses = scene.bodies.map(({name}) => {
    if (name.startsWith('link')) return [...down((Number(name.slice(4)) - 0.5) * kLength), ...turned];
    if (name === 'load') return [...down(kLinks * kLength + 0.4), ...turned];
    if (name === 'crate') return [-1 + shift[0], -2.5 + shift[1], 0.4 + shift[2], ...kStill];
    if (name === 'weight') return [2.2, -1.5, 2.4 + bob, ...kStill];
    if (name === 'ball') return [3 + 1.5 * Math.sin(time), 1, 4 - 1.5 * Math.cos(time), ...kStill];
    return [0, 0, 0, ...kStill];
  });
  const pull = (9.81 * Math.cos(angle) + 4.4 * (0.35 * 1.3 * Math.cos(1.3 * time)) ** 2);
  const joints = scene.joints.map(
      ({name}, i) => name === 'bar' ? [0, 0, -2 * 9.81 * 3000, 0, 0, 0] :
                                      [-Math.sin(angle) * 1e-9, 0, -pull * (load + 8 * (kLinks - i)), 0, 0, 0]);
  const corners =
      [[-1, -1], [-1, 1], [1, -1], [1, 1]].map(([x, y]) => [-1 + 0.4 * x, -2.5 + 0.4 * y, 0, 0, 0, 1, 0, 0, 98.1]);
  const kinetic = load / 2 * (4.4 * 0.35 * 1.3 * Math.cos(1.3 * time)) ** 2;
  const values = {
    'energy.total': kinetic + load * 9.81 * down(4.4)[2],
    'energy.kinetic': kinetic,
    'gap.max': 1e-6 * (1 + Math.sin(time) ** 2),
    'body.load.z': down(4.4)[2],
    'joint.hook.force': pull * load,
  };
  return encodeFrame({
    revision: scene.revision,
    time,
    step: Math.round(time * 60),
    flags,
    solves: 1 + (Math.round(time * 7) % 3),
    poses,
    joints,
    contacts: corners,
    plots: scene.plots.map(name => values[name] ?? NaN),
    target
  });
}

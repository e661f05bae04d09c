import assert from 'node:assert/strict';
import {test} from 'node:test';
import {kAnswerTime, kLongestAnswer} from '../src/control_input';
import {Controls, kFine, valueText, type KeyStroke} from '../src/controls';
import {Gamepads, kDeadZone, withoutDeadZone, type Pad} from '../src/gamepads';
import {type Control} from '../src/protocol';

const axis = (name: string, keys: string[], gamepad: Control['gamepad'] = null, value = 0): Control =>
    ({name, keys, gamepad, value, lowest: -1, highest: 2, unit: 'm/s', type: 'axis', doc: ''});
const hoist = axis('hoist', ['w', 's'], {axis: 1, reversed: true});
const brake: Control = {
  ...axis('brake', ['b'], {button: 0}),
  type: 'switch',
  lowest: 0,
  highest: 1
};

// A page with these controls, one gamepad (not connected at first), and a connection that can be broken.
function page(...controls: Control[]) {
  const sent: [string, number][] = [], notices: string[] = [];
  const state = {connected: true, clock: 0, pad: null as Pad | null};
  const gamepads = new Gamepads(
      () => [null, state.pad],
      {found: name => notices.push(`found ${name}`), lost: name => notices.push(`lost ${name}`)});
  const all = new Controls((name, value) => {
    if (state.connected) sent.push([name, value]);
    return state.connected;
  }, gamepads, () => state.clock);
  all.show(controls);
  const stroke = (key: string, shiftKey = false, repeat = false): KeyStroke =>
      ({key: shiftKey ? key.toUpperCase() : key, code: `code of ${key}`, shiftKey, repeat});
  return {
    all,
    sent,
    notices,
    state,
    input: (name: string) => all.inputs.find(({control}) => control.name === name)!,
    down: (key: string, shiftKey = false, repeat = false) => all.keyDown(stroke(key, shiftKey, repeat)),
    up: (key: string, shiftKey = false) => all.keyUp(stroke(key, shiftKey)),
    take: () => sent.splice(0).map(([, value]) => value),
    tilt: (axes: number[], buttons: number[] = [0]) => {
      const fresh = state.pad === null;
      state.pad = {index: 1, id: 'pad', connected: true, axes, buttons: buttons.map(value => ({value}))};
      if (fresh)
        all.gamepadsChanged();
      else
        all.poll();
    },
  };
}

test('a held key drives to the end of the range, its release restores the default', () => {
  const {down, up, sent} = page({...hoist, value: 0.5});
  assert.ok(down('w'));
  assert.ok(down('w', false, true), 'a repeated key is the key of the control, too');
  up('w');
  down('s');
  up('s');
  assert.deepEqual(sent, [['hoist', 2], ['hoist', 0.5], ['hoist', -1], ['hoist', 0.5]]);
});

test('Shift deflects by a fifth, also while a key is held', () => {
  const {down, up, take} = page(hoist);
  down('w', true);
  assert.deepEqual(take(), [2 * kFine]);
  up('Shift');  // the key stays down
  assert.deepEqual(take(), [2]);
  down('Shift', true);
  up('w', true);
  assert.deepEqual(take(), [2 * kFine, 0]);
});

test('a key is released although Shift has changed its character', () => {
  const {all, take} = page(axis('slew', ['1', '2']));
  all.keyDown({key: '1', code: 'Digit1', shiftKey: false, repeat: false});
  all.keyUp({key: '!', code: 'Digit1', shiftKey: false, repeat: false});
  assert.deepEqual(take(), [2, 0]);
});

test('Shift and a digit drive, unless the shifted character has another function', () => {
  const {all, take} = page(axis('slew', ['1', '!']), axis('luff', ['2', '3']));
  const shifted = (key: string, code: string): KeyStroke => ({key, code, shiftKey: true, repeat: false});
  assert.ok(all.keyDown(shifted('!', 'Digit1')));
  assert.deepEqual(take(), [-kFine]);
  assert.ok(!all.keyDown(shifted('"', 'Digit2')), 'keys of the viewer are asked before');
  assert.ok(all.shiftedDigit(shifted('"', 'Digit2')));
  assert.deepEqual(take(), [2 * kFine]);
});

test('opposite keys cancel, and the one that stays down drives', () => {
  const {down, up, take} = page(hoist);
  down('w');
  down('s');
  up('w');
  up('s');
  assert.deepEqual(take(), [2, 0, -1, 0]);
});

test('only keys of controls are claimed, in any case', () => {
  const {all, down, sent} = page(hoist);
  assert.ok(!down('t'));
  assert.equal(all.drivenBy('W')?.control.name, 'hoist');
  assert.equal(all.drivenBy('t'), null);
  assert.equal(sent.length, 0);
});

test('a switch toggles when its key goes down, not when it repeats or comes up', () => {
  const {down, up, take} = page(brake);
  down('b');
  down('b', false, true);
  up('b');
  down('b');
  assert.deepEqual(take(), [1, 0]);
});

test('a window without focus releases all keys, a Meta key as well', () => {
  const {all, down, up, take} = page(hoist, axis('slew', ['d', 'a']));
  down('w');
  down('a');
  all.releaseKeys();
  assert.deepEqual(take(), [2, -1, 0, 0]);
  assert.ok(down('w', false, true), 'still down when the focus returns: repeats do not drive');
  up('w');
  assert.deepEqual(take(), []);
  down('w');
  down('Meta');
  assert.deepEqual(take(), [2, 0]);
});

test('the dead zone is a tenth, and the rest starts at zero', () => {
  assert.equal(withoutDeadZone(kDeadZone), 0);
  assert.equal(withoutDeadZone(-0.09), 0);
  assert.ok(withoutDeadZone(0.12) > 0 && withoutDeadZone(0.12) < 0.03);
  assert.ok(Math.abs(withoutDeadZone(0.55) - 0.5) < 1e-12);
  assert.equal(withoutDeadZone(-1), -1);
  assert.equal(withoutDeadZone(1.3), 1);
});

test('a stick drives in proportion, and only changes are sent', () => {
  const {tilt, take} = page(hoist);
  tilt([0, 0]);
  tilt([0, -0.55]);  // reversed: up
  tilt([0, -0.5501]);
  tilt([0, 1]);
  tilt([0, 0.05]);
  assert.deepEqual(take(), [1, -1, 0]);
});

test('two controls follow the same axis', () => {
  const {tilt, sent} =
      page(axis('slew', [], {axis: 0, reversed: false}), axis('trolley', [], {axis: 0, reversed: true}));
  tilt([0]);
  tilt([1]);
  assert.deepEqual(sent, [['slew', 2], ['trolley', -1]]);
});

test('a stick that is deflected when it connects counts after it was at rest', () => {
  const {tilt, take, notices} = page(hoist);
  tilt([0, -1]);
  tilt([0, -1]);
  assert.deepEqual(take(), []);
  tilt([0, 0]);
  tilt([0, -1]);
  assert.deepEqual(take(), [2]);
  assert.deepEqual(notices, ['found pad']);
});

test('a lost gamepad returns its controls to the default', () => {
  const {all, tilt, take, state, notices} = page(hoist);
  tilt([0, 0]);
  tilt([0, -1]);
  state.pad = null;
  all.poll();  // the browser may report it late
  assert.deepEqual(take(), [2, 0]);
  assert.deepEqual(notices, ['found pad', 'lost pad']);
});

test('without a gamepad nothing is read', () => {
  let reads = 0;
  const gamepads = new Gamepads(() => (++reads, []), {found: () => {}, lost: () => {}});
  const controls = new Controls(() => true, gamepads);
  controls.show([hoist]);
  controls.poll();
  assert.equal(reads, 0);
});

test('a button of the gamepad toggles a switch once, and deflects an axis', () => {
  const {tilt, sent} = page(brake, axis('boost', [], {button: 1}));
  tilt([], [1, 0]);
  tilt([], [0, 0]);
  tilt([], [1, 1]);
  tilt([], [1, 1]);
  tilt([], [0, 0]);
  assert.deepEqual(sent, [['brake', 1], ['boost', 2], ['boost', 0]]);
});

test('a held key has precedence over the stick, which takes over when it is released', () => {
  const {down, up, tilt, take} = page(hoist);
  tilt([0, 0]);
  tilt([0, -1]);
  down('s');
  tilt([0, -1]);
  up('s');
  tilt([0, -1]);
  assert.deepEqual(take(), [2, -1, 0, 2]);
});

test('a hidden page releases keys and sticks; the stick counts again after rest', () => {
  const {all, down, tilt, take} = page(hoist, axis('slew', ['d', 'a']));
  tilt([0, 0]);
  tilt([0, -1]);
  down('d');
  all.letGo();
  assert.deepEqual(take(), [2, 2, 0, 0]);
  tilt([0, -1]);
  assert.deepEqual(take(), []);
});

test('a slider keeps its value, and a status does not move it while it is dragged', () => {
  const {all, input, take, state} = page(hoist);
  input('hoist').slide(1.5);
  state.clock += kLongestAnswer;
  all.heard({hoist: -1});
  assert.equal(input('hoist').value, 1.5);
  input('hoist').drop();
  all.heard({hoist: -1});
  assert.equal(input('hoist').value, -1);
  assert.deepEqual(take(), [1.5]);
});

test('a status that is older than the key does not release it, even if values repeat', () => {
  const {all, down, up, input, take} = page(hoist);
  down('w');
  up('w');
  down('w');
  for (const value of [0, 2, 0, 2]) {
    all.heard({hoist: value});
    assert.equal(input('hoist').value, 2);
  }
  assert.deepEqual(take(), [2, 0, 2]);
});

test('another client or a rewind overrules a held key until its release', () => {
  const {all, down, up, input, take, state} = page(hoist);
  down('w');
  all.heard({hoist: 2});
  state.clock += kAnswerTime;
  all.heard({hoist: 0.7});
  assert.equal(input('hoist').value, 0.7);
  down('s');  // the overruled key, which is still down, does not cancel it
  up('s');
  up('w');
  assert.deepEqual(take(), [2, -1, 0]);
  down('w');
  up('w');
  assert.deepEqual(take(), [2, 0]);
});

test('another client or a rewind overrules a stick until it was at rest', () => {
  const {all, tilt, input, take, state} = page(hoist);
  tilt([0, 0]);
  tilt([0, -1]);
  all.heard({hoist: 2});
  state.clock += kAnswerTime;
  all.heard({hoist: 0.7});
  tilt([0, -0.9]);
  assert.equal(input('hoist').value, 0.7);
  assert.deepEqual(take(), [2]);
  tilt([0, 0]);
  tilt([0, -1]);
  assert.deepEqual(take(), [0, 2]);
});

test('a value that the engine does not take is given up', () => {
  const {all, down, input, state} = page(hoist);
  down('w');
  all.heard({hoist: 0});
  assert.equal(input('hoist').value, 2);
  state.clock += kAnswerTime;
  all.heard({hoist: 0});
  assert.equal(input('hoist').value, 2);
  state.clock += kLongestAnswer;
  all.heard({hoist: 0});
  assert.equal(input('hoist').value, 0);
});

test('a status that is much too late overrules a key, but its release restores the default', () => {
  for (const end of ['release', 'blur', 'hidden']) {
    const {all, down, up, take, state} = page(hoist);
    down('w');
    state.clock += kLongestAnswer;
    all.heard({hoist: 0});
    if (end === 'release') up('w');
    if (end === 'blur') all.releaseKeys();
    if (end === 'hidden') all.letGo();
    assert.deepEqual(take(), [2, 0], end);
  }
});

test('a release that could not be sent is sent with the first status after the connection', () => {
  const {all, down, take, state} = page(hoist);
  down('w');
  state.connected = false;
  all.letGo();
  state.connected = true;
  assert.ok(!all.show([hoist]), 'the same controls after the connection');
  all.heard({hoist: 2});
  assert.deepEqual(take(), [2, 0]);
  all.heard({hoist: 0});
  assert.deepEqual(take(), []);
});

test('a rebuilt scene releases its keys, another scene starts from its defaults', () => {
  const {all, down, input, take} = page(hoist);
  down('w');
  assert.ok(!all.show([hoist]));
  assert.deepEqual(take(), [2, 0]);
  down('w');
  assert.ok(all.show([{...hoist, value: 1}]));
  assert.equal(input('hoist').value, 1);
  all.releaseKeys();
  assert.deepEqual(take(), [2]);
});

test('the help names keys, gamepad and the values at both ends', () => {
  const {all} = page(hoist, brake, axis('wind', []));
  assert.deepEqual(all.help(), [
    [['W', 'S', 'axis 1 reversed'], 'hoist: 2 m/s, −1 m/s'],
    [['B', 'button 0'], 'brake: on or off'],
  ]);
});

test('values of a control are in its unit, with one prefix for the range', () => {
  assert.equal(valueText({...hoist, lowest: -0.6, highest: 0.6}, 0.25), '0.25 m/s');
  assert.equal(valueText({...hoist, highest: 2e5, unit: 'N'}, 500), '0.5 kN');
});

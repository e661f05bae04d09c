// A simulated gamepad: replaces navigator.getGamepads in the page and reports what the test sets.

export async function plugIn(page, name = 'simulated gamepad') {
  await page.evaluate(id => {
    window.pad = {index: 0, id, connected: true, mapping: 'standard', axes: [0, 0, 0, 0], buttons: []};
    window.pad.buttons = Array.from({length: 17}, () => ({pressed: false, value: 0}));
    window.padReads = 0;
    navigator.getGamepads = () => {
      ++window.padReads;
      return [window.pad, null, null, null];
    };
    window.dispatchEvent(new Event('gamepadconnected'));
  }, name);
}

export async function unplug(page) {
  await page.evaluate(() => {
    window.pad = null;
    window.dispatchEvent(new Event('gamepaddisconnected'));
  });
}

// The page reads its gamepad once per frame, and a stick counts only after it was read at rest: waits until it was read.
async function untilRead(page) {
  const reads = await page.evaluate(() => window.padReads);
  await page.waitForFunction(before => window.padReads > before, reads, {timeout: 600000});
}

export async function tilt(page, axis, value) {
  await page.evaluate(([n, v]) => {
    window.pad.axes[n] = v;
  }, [axis, value]);
  await untilRead(page);
}

export async function pressButton(page, button, down) {
  await page.evaluate(([n, v]) => {
    window.pad.buttons[n] = {pressed: v, value: Number(v)};
  }, [button, down]);
  await untilRead(page);
}

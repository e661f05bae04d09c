// Runs one engine on one scene for peer_node: node runner.mjs ENGINE
//
//   in   length of the JSON (uint32), the JSON {scene, options, xml, velocities, order, warm}
//   out  one double, 0, when the scene stands
//   in   h, count, gravity (5 doubles)         out  processor time of the steps [s], then 13 doubles a body:
//                                                   position, quaternion (w first), velocity, angular velocity
// All little-endian. An engine module exports build(task) → {step(h), gravity(x, y, z), read(out), end()}.
import fs from 'node:fs';

console.log = console.warn = console.error;  // what engines print is not for the pipe

function readExactly(bytes) {
  const buffer = Buffer.alloc(bytes);
  let at = 0;
  while (at < bytes) {
    const got = fs.readSync(0, buffer, at, bytes - at, null);
    if (got === 0) process.exit(0);
    at += got;
  }
  return buffer;
}

function writeAll(buffer) {
  for (let at = 0; at < buffer.length;) at += fs.writeSync(1, buffer, at);
}

const seconds = () => {
  const {user, system} = process.cpuUsage();
  return 1e-6 * (user + system);
};

const [name, variant] = process.argv[2].split('-');
const {build} = await import(`./${name}.mjs`);
const task = JSON.parse(readExactly(readExactly(4).readUInt32LE()).toString());
task.variant = variant ?? '';

// WebAssembly starts in code that was compiled in haste; times are taken when the better code is in place.
if (task.warm) {
  const end = performance.now() + 500;
  while (performance.now() < end) {
    const rehearsal = await build(task);
    try {
      for (let i = 0; i < 30 && performance.now() < end; ++i) rehearsal.step(task.warm);
    } catch { /* it blew up: so it will in the play */ }
    rehearsal.end();
  }
}
const world = await build(task);
writeAll(Buffer.from(new Float64Array([0]).buffer));

const out = new Float64Array(1 + 13 * task.scene.bodies.length);
for (;;) {
  const command = readExactly(40);
  const [h, count, x, y, z] = new Float64Array(command.buffer, command.byteOffset, 5);
  world.gravity(x, y, z);
  const start = seconds();
  for (let i = 0; i < count; ++i) world.step(h);
  out[0] = seconds() - start;
  world.read(out.subarray(1));
  writeAll(Buffer.from(out.buffer));
}

// A mock engine: serves the page and implements docs/viewer-protocol.md for a scene with known motion. It records all
// commands, and can disturb the connection in ways that the engine never does.
//
//     node mock_engine.mjs [PORT]        shows the page without an engine
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {makeFrame, makeScene} from './mock_scene.mjs';
import {dist, need} from './web_folder.mjs';

const {WebSocketServer} = need('ws');
const kTypes = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css'
};

function serveFile(request, response) {
  const name = new URL(request.url, 'http://localhost').pathname.slice(1) || 'index.html';
  const file = path.join(dist, path.basename(name));
  if (!fs.existsSync(file)) return response.writeHead(404).end();
  return response.writeHead(200, {'content-type': kTypes[path.extname(file)]}).end(fs.readFileSync(file));
}

export class MockEngine {
  commands = [];
  time = 0;
  shift = [0, 0, 0];
  status = {
    type: 'status',
    paused: false,
    speed: 1,
    dt: 1 / 60,
    scheme: 'bdf2',
    stabilisation: 'tension',
    solver: 'ldlt',
    max_solves: 100,
    parameters: {},
    controls: {slew: 0, hoist: 0, trolley: 0, wind: 5, brake: 0},
    plots: ['energy.total', 'gap.max'],
    earliest: 0,
    latest: 0,
    banner: null,
    error: null,
    lateness: {p50: 2e-4, p99: 1e-3, worst: 4e-3},
    budget: 0.012,
    grabbed: null,
  };
  scene = makeScene(1, 15000, this.status.plots);

  static async start(port = 0) {
    const engine = new MockEngine();
    await engine.open(port);
    engine.timer = setInterval(() => engine.tick(), 1000 / 60);
    return engine;
  }

  async open(port) {
    this.server = http.createServer(serveFile);
    this.sockets = new WebSocketServer({server: this.server, path: '/stream'});
    this.sockets.on('connection', socket => {
      socket.send(JSON.stringify(this.scene));
      socket.send(JSON.stringify(this.status));
      socket.on('message', data => this.obey(JSON.parse(data), socket));
    });
    await new Promise(ready => this.server.listen(port, '127.0.0.1', ready));
    this.port = this.server.address().port;
    this.address = `http://127.0.0.1:${this.port}/?token=mock`;
  }

  send(data) {
    for (const socket of this.sockets.clients) socket.send(data);
  }

  say(change) { this.send(JSON.stringify(Object.assign(this.status, change))); }

  tick() {
    if (!this.status.paused) this.time += this.status.speed / 60;
    this.status.latest = Math.max(this.status.latest, this.time);
    this.send(makeFrame(this.scene, this.time, {flags: this.status.paused ? 1 : 0, shift: this.shift}));
  }

  rebuild(load) {
    this.scene = makeScene(this.scene.revision + 1, load, this.status.plots);
    this.send(JSON.stringify(this.scene));
  }

  obey(command, socket) {
    this.commands.push(command);
    switch (command.command) {
      case 'play':
        return this.say({paused: false});
      case 'pause':
        return this.say({paused: true});
      case 'step':
        this.time += this.status.dt;
        return this.say({paused: true});
      case 'reset':
        this.time = 0;
        return this.say({banner: null, latest: 0});
      case 'rewind':
        this.time = command.time;
        return this.say({paused: true});
      case 'speed':
        return this.say({speed: command.value});
      case 'settings': {
        const {command: _, ...rest} = command;
        return this.say(rest);
      }
      case 'set':
        this.say({parameters: {...this.status.parameters, [command.name]: command.value}});
        return command.name === 'load' ? this.rebuild(Number(command.value)) : undefined;
      case 'control':
        return this.say({controls: {...this.status.controls, [command.name]: command.value}});
      case 'plots':
        this.scene.plots = command.readings;
        return this.say({plots: command.readings});
      case 'grab':
        return this.say({grabbed: command.body});
      case 'drag':
        this.shift = [command.target[0] + 1, command.target[1] + 2.5, 0];
        return undefined;
      case 'release':
        return this.say({grabbed: null});
      default:
        return socket.send(
            JSON.stringify({type: 'refused', command: command.command, reason: 'the mock cannot do that'}));
    }
  }

  // Breaks the connection and accepts no new one for a while.
  async hangUp(milliseconds) {
    const {port} = this;
    for (const socket of this.sockets.clients) socket.terminate();
    await new Promise(done => this.server.close(done));
    await new Promise(done => setTimeout(done, milliseconds));
    await this.open(port);
  }

  stop() {
    clearInterval(this.timer);
    for (const socket of this.sockets.clients) socket.terminate();
    this.server.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const engine = await MockEngine.start(Number(process.argv[2] ?? 8123));
  console.log(engine.address);
}

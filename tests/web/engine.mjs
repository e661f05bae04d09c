// `taut view` in a child process. TAUT_PROGRAM is its path.
import {spawn} from 'node:child_process';
import {fileURLToPath} from 'node:url';

export const program = process.env.TAUT_PROGRAM ?? fileURLToPath(new URL('../../build/release/taut', import.meta.url));

export class Engine {
  static async start(...options) {
    const engine = new Engine();
    engine.child =
        spawn(program, ['view', ...options, '--no-open', '--port', '0', '--time', '600'], {stdio: ['ignore', 'pipe', 'pipe']});
    let output = '';
    engine.address = await new Promise((found, failed) => {
      const read = data => {
        output += data;
        const address = /http:\/\/\S+/.exec(output);
        if (address) found(address[0]);
      };
      engine.child.stdout.on('data', read);
      engine.child.stderr.on('data', read);
      engine.child.on('exit', code => failed(new Error(`taut view ended with ${code}:\n${output}`)));
      engine.child.on('error', failed);
    });
    return engine;
  }

  async stop() {
    if (this.child.exitCode !== null) return;
    const ended = new Promise(done => this.child.on('exit', done));
    this.child.kill('SIGINT');
    await ended;
  }
}

// Runs test/*.test.ts with the test runner of Node. The tests are bundled first, because Node 18 does not support TypeScript.
//
//     node test.mjs [FOLDER]       runs the tests of another folder with the packages of this one
import {build} from 'esbuild';
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const out = path.join(here, 'build/test');
const folder = path.resolve(process.argv[2] ?? path.join(here, 'test'));
fs.rmSync(out, {recursive: true, force: true});

const tests = fs.readdirSync(folder).filter(name => name.endsWith('.test.ts'));
await build({
  entryPoints: tests.map(name => path.join(folder, name)),
  outdir: out,
  outExtension: {'.js': '.mjs'},
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node18',
  sourcemap: 'inline',
  nodePaths: [path.join(here, 'node_modules')],
  logLevel: 'warning',
});
const files = tests.map(name => path.join(out, name.replace(/\.ts$/, '.mjs')));
const {status} = spawnSync(process.execPath, ['--enable-source-maps', '--test', ...files], {stdio: 'inherit'});
process.exit(status ?? 1);

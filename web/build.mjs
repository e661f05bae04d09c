// Bundles the page into dist: index.html, viewer.js, viewer.css. They make no network requests.
//
// A replay file inlines script and style in place of the two tags of index.html, so neither may contain the end tag of
// its element: esbuild writes </script> and </style> inside of strings as <\/script> and <\/style>.
import {build} from 'esbuild';
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const dist = path.join(here, 'dist');

await build({
  entryPoints: {viewer: path.join(here, 'src/main.ts')},
  outdir: dist,
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
});
fs.copyFileSync(path.join(here, 'src/index.html'), path.join(dist, 'index.html'));

for (const [file, end] of [['viewer.js', '</script'], ['viewer.css', '</style'], ['viewer.js', '<!--']]) {
  if (fs.readFileSync(path.join(dist, file), 'utf8').toLowerCase().includes(end)) {
    console.error(`build: ${file} contains "${end}" and cannot be inlined`);
    process.exit(1);
  }
}

// Where the page was built and its packages are: the build's copy of web/ if ctest says so, else web/ itself.
import {createRequire} from 'node:module';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

export const web = process.env.TAUT_WEB ?? fileURLToPath(new URL('../../web', import.meta.url));
export const dist = path.join(web, 'dist');
export const need = createRequire(path.join(web, 'package.json'));

// Folder of the built page and its packages: the copy of web/ in the build folder if ctest sets it, otherwise web/.
import {createRequire} from 'node:module';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

export const web = process.env.TAUT_WEB ?? fileURLToPath(new URL('../../web', import.meta.url));
export const dist = path.join(web, 'dist');
export const need = createRequire(path.join(web, 'package.json'));

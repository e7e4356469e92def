/**
 * Makes `dist` and the sources contain the same files, before the compiler runs (`npm run compile`).
 *
 * - Removes each compiled file whose TypeScript source no longer exists. The compiler never removes it, so a deleted
 *   test would still run.
 * - The compiler relies on its record of compiled files and does not check whether the output exists. If the files
 *   differ, the record is removed first, so that the compiler compiles every file.
 *
 * Argument: the root folder of the project; default: this project.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
/** Folders with sources. `dist` has the same folders. */
const FOLDERS = ['src', 'test', 'bench', 'scripts'];
const SOURCE = /(?<!\.d)\.ts$/;
/** The files that the compiler creates from `name.ts`. All other files in `dist` stay. */
const OUTPUT = /\.(js|js\.map|d\.ts)$/;
const RECORD = /\.tsbuildinfo$/;

const filesIn = (base, folder) =>
  existsSync(join(base, folder))
    ? readdirSync(join(base, folder), { recursive: true }).map((file) => join(folder, file))
    : [];
// Another run may remove the same file at the same time.
const remove = (file) => rmSync(join(dist, file), { force: true });

const sources = new Set(FOLDERS.flatMap((folder) => filesIn(root, folder)));
const compiled = new Set(filesIn(dist, '.'));
const stale = [...compiled].filter(
  (file) =>
    FOLDERS.some((folder) => file.startsWith(join(folder, '/'))) &&
    OUTPUT.test(file) &&
    !sources.has(file.replace(OUTPUT, '.ts')),
);
const isMissing = [...sources].some((file) => SOURCE.test(file) && !compiled.has(file.replace(SOURCE, '.js')));
if (stale.length > 0 || isMissing) [...compiled].filter((file) => RECORD.test(file)).forEach(remove);
stale.forEach(remove);
if (stale.length > 0) process.stderr.write(`removed ${stale.length} compiled files without a source from dist\n`);

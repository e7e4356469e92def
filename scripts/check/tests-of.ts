/** Selects the tests for a change, the most closely related ones first. */
import type { Sources } from './sources.js';

/** Suites of `npm test`, which need no engine except PostgreSQL. */
const TEST = /^test\/(unit|conformance|contract|api)\/.+\.test\.ts$/;
/** Tests of the structure and of all areas together: any change of the sources can break them. */
const STRUCTURE = /^test\/unit\/areas\//;
const KINDS = ['unit', 'conformance', 'contract', 'api'] as const;

/** Returns the area of a file by its path: `src/<layer>/<area>/`, `src/api/areas/<area>/` or `src/areas/<area>.ts`. */
export function areaOf(file: string, areas: ReadonlySet<string>): string | undefined {
  const names = file.replace(/\.ts$/, '').split('/');
  return names[0] === 'src' ? names.slice(1).find((name) => areas.has(name)) : undefined;
}

/**
 * Returns test files for the changed files in this order: changed tests; tests that import a changed file or contain
 * its path; tests of the same area; tests of the structure. Fast kinds come first in each group.
 */
export function testsOf(changed: readonly string[], sources: Sources): readonly string[] {
  const tests = [...sources.keys()].filter((file) => TEST.test(file)).sort((a, b) => kindOf(a) - kindOf(b));
  const files = new Set(changed);
  const areas = new Set([...sources.keys()].flatMap((file) => /^src\/areas\/([a-z-]+)\.ts$/.exec(file)?.[1] ?? []));
  const touched = new Set(changed.flatMap((file) => areaOf(file, areas) ?? []));
  const namesOne = (text: string) => changed.some((file) => text.includes(`'${file}'`));
  const groups: ((file: string) => boolean)[] = [
    (file) => files.has(file),
    (file) => sources.get(file)!.imports.some((one) => files.has(one)) || namesOne(sources.get(file)!.text),
    (file) => touched.has(file.split('/')[2]!),
    (file) => STRUCTURE.test(file) && changed.some((one) => one.startsWith('src/')),
  ];
  return [...new Set(groups.flatMap((belongs) => tests.filter(belongs)))];
}

const kindOf = (file: string): number => KINDS.findIndex((kind) => file.startsWith(`test/${kind}/`));

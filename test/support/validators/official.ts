/**
 * Official schemas, ontologies and code lists. They are read from the shared folder and never copied into the
 * repository.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from 'mocha';
import { skip } from '../run-summary.js';

const path = (name: string): string => join(process.env.SHARED_DIR ?? '../shared', 'standards', name);

export const officialText = (name: string): string => readFileSync(path(name), 'utf8');
export const officialJson = (name: string): unknown => JSON.parse(officialText(name));

/** For a `before` hook: skips the suite with a reason if a file is absent. */
export function needsOfficial(test: Context, ...names: readonly string[]): void {
  const absent = names.filter((name) => !existsSync(path(name)));
  if (absent.length === 0) return;
  skip(test, `no official file ${absent.join(', ')} (SHARED_DIR)`);
}

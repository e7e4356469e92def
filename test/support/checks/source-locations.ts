/** Finds definitions in the sources, for messages of checks: `src/events/orders/events.ts:12`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the place of an event type. */
export const sourceOfType = (type: string): string =>
  sourceOf(new RegExp(`eventType\\(\\s*'${type}'`), 'src/events') ?? 'src/events';

/** Returns the place of an operation or a feed. */
export const sourceOfOperation = (name: string): string =>
  sourceOf(new RegExp(`name: '${name}'`), 'src/api/areas') ?? 'src/api/areas';

/** Returns the place of the row of an operation or a feed in the access tables. */
export const sourceOfRow = (name: string): string =>
  sourceOf(new RegExp(`^  ${name}: `, 'm'), 'test/support/access') ?? 'test/support/access';

/** Returns the message for an operation without a row in the access table. */
export function missingRow(name: string, how: string): string {
  const place = sourceOfOperation(name);
  const [, area = '<area>'] = /^src\/api\/areas\/([^/]+)\//.exec(place) ?? [];
  return `${place}: the operation ${name} has no row. Add \`${name}: { roles: [...], own: ..., foreign: ... },\` to test/support/access/areas/${area}.ts. ${how}`;
}

/** Returns the place of a message in a language file. */
export const sourceOfMessage = (code: string, language: string): string =>
  sourceOf(new RegExp(`^\\s+"${code}": `, 'm'), 'src/messages', `${language}.json`) ??
  `src/messages/${language}.json (${code})`;

const texts = new Map<string, ReadonlyMap<string, string>>();

/** Returns the source texts of a folder by their paths. */
function textsOf(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(ts|json)$/.test(name));
  const files = names.sort().map((name) => join(folder, name));
  return new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
}

/**
 * Returns file and line of the first match in the files of a folder. Paths are relative to the repository, where tests
 * run.
 */
export function sourceOf(pattern: RegExp, folder: string, fileSuffix = ''): string | undefined {
  if (!texts.has(folder)) texts.set(folder, textsOf(folder));
  for (const [file, text] of texts.get(folder)!) {
    const found = file.endsWith(fileSuffix) && pattern.exec(text);
    if (found) return `${file}:${text.slice(0, found.index).split('\n').length}`;
  }
  return undefined;
}

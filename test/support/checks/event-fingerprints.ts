/** Fingerprints of stored event types: the schema of the newest version of each type, recorded in the repository. */
import { readFileSync } from 'node:fs';
import type { EventType } from '../../../src/events/core/event-types.js';
import { sourceOfType } from './source-locations.js';
import { shapeOf, type Shape } from './schema-shape.js';

/** Path relative to the repository, where tests run. */
export const FINGERPRINTS_FILE = 'test/fixtures/event-types.json';

export interface Fingerprint {
  readonly version: number;
  readonly data: Shape;
}
export type Fingerprints = Readonly<Record<string, Fingerprint>>;

export const readFingerprints = (): Fingerprints => JSON.parse(readFileSync(FINGERPRINTS_FILE, 'utf8')) as Fingerprints;

/** Returns the text of the file with one line per member, so that a diff shows what changed. */
export const formatFingerprints = (fingerprints: Fingerprints): string => `${JSON.stringify(fingerprints, null, 2)}\n`;

/** Returns the fingerprints by type name, in alphabetical order. */
export const fingerprintsOf = (types: Iterable<EventType>): Fingerprints =>
  Object.fromEntries(
    [...types]
      .sort((a, b) => (a.type < b.type ? -1 : 1))
      .map((type) => [type.type, { version: type.version, data: shapeOf(type) }] as const),
  );

export interface FingerprintComparison {
  /** Types that are new or have a higher version: `npm run fingerprints` records them. */
  readonly unrecorded: readonly string[];
  /** Changes that would make existing events unreadable. Each fault is a sentence with instructions. */
  readonly refused: readonly string[];
}

/** Compares the types in the code with the recorded ones. */
export function compareFingerprints(recorded: Fingerprints, current: Fingerprints): FingerprintComparison {
  const unrecorded: string[] = [];
  const refused: string[] = [];
  for (const [type, { version, data }] of Object.entries(current)) {
    const before = recorded[type];
    if (!before || version > before.version) unrecorded.push(type);
    else if (version < before.version)
      refused.push(
        `${sourceOfType(type)}: ${type} has version ${version}, but version ${before.version} is recorded: logs may hold it. Restore version ${before.version}.`,
      );
    else if (JSON.stringify(data) !== JSON.stringify(before.data))
      refused.push(
        `${sourceOfType(type)}: the schema of ${type} changed (${changes(before.data, data).join('; ')}), but its version is still ${version}. ` +
          `Raise it: { version: ${version + 1}, upcast: { ..., ${version}: (data) => data } } as the last argument of eventType(), where the upcaster turns data of version ${version} into version ${version + 1}; then run npm run fingerprints. ${IN_NO_LOG(type)}`,
      );
  }
  for (const type of Object.keys(recorded))
    if (!current[type])
      refused.push(
        `${type} is recorded in ${FINGERPRINTS_FILE}, but src/events no longer has it. Logs may hold it: restore the type. ${IN_NO_LOG(type)}`,
      );
  return { unrecorded, refused };
}

const IN_NO_LOG = (type: string): string =>
  `Only if no log can hold it yet (the type is new in your change): delete the entry "${type}" from ${FINGERPRINTS_FILE} and run npm run fingerprints.`;

/** Returns the members that differ, as `member: before -> now`. */
function changes(before: Shape, now: Shape, path = ''): string[] {
  if (JSON.stringify(before) === JSON.stringify(now)) return [];
  const isNode = (shape: Shape): shape is Readonly<Record<string, Shape>> =>
    typeof shape === 'object' && !Array.isArray(shape);
  if (!isNode(before) || !isNode(now))
    return [`${path || 'data'}: ${JSON.stringify(before)} -> ${JSON.stringify(now)}`];
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names.flatMap((name) => {
    const at = path === '' ? name : `${path}.${name}`;
    const [old, young] = [before[name], now[name]];
    if (old === undefined) return [`${at} added`];
    if (young === undefined) return [`${at} removed`];
    return changes(old, young, at);
  });
}

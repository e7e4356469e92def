/** Checks all areas together and reports errors before the service starts. */
import { hasTimers } from '../projections/timers/read-model.js';
import { allSequences } from '../projections/core/sequence.js';
import type { Feed } from '../api/core/feed.js';
import type { Operation } from '../api/core/operation.js';
import type { Area } from './area.js';

/** Path of the file that registers an area, relative to the repository. */
const fileOf = (area: string): string => `src/areas/${area}.ts`;

type CheckedArea = Pick<Area<never>, 'name' | 'streams' | 'readModels' | 'sequences'>;

/** Throws an error for the first problem. The message says how to fix it. */
export function checkAreas(areas: readonly CheckedArea[]): void {
  const streams = areas.flatMap(({ name, streams: families }) => families.map((family) => ({ area: name, ...family })));
  expectUnique(
    'area',
    areas.map(({ name }) => [name, name]),
    ' (`name` in its file in src/areas), or remove a second line from src/areas/index.ts',
  );
  expectUnique(
    'stream prefix',
    streams.map(({ prefix, area }) => [prefix, area]),
    ' in src/areas/<area>.ts and src/events/<area>/events.ts',
  );
  expectUnique(
    'event type',
    streams.flatMap(({ events, area }) => events.map(({ type }) => [type, area] as const)),
    ' in src/events/<area>/events.ts',
  );
  expectUnique(
    'read model',
    areas.flatMap(({ name, readModels }) => readModels.map((model) => [model.name, name] as const)),
    ' in src/projections/<area>/read-model.ts',
  );
  for (const { prefix, area } of streams)
    if (!/^[a-z]+-$/.test(prefix))
      throw new Error(
        `The stream prefix ${prefix} of the area ${area} must be one word and a hyphen, as in route-: change \`prefix\` in ${fileOf(area)}.`,
      );
  for (const { area, prefix, events, tenant, erasure, expires } of streams) {
    if (hasTimers({ events }) !== (expires !== undefined))
      throw new Error(
        expires === undefined
          ? `The streams ${prefix} of the area ${area} must say \`expires\`, because event types of them set timers: add it to these streams in ${fileOf(area)}.`
          : `The streams ${prefix} of the area ${area} must say \`expires\` only where event types of them set timers: remove it from these streams in ${fileOf(area)}, or add timers to an event type.`,
      );
    if (tenant === undefined)
      throw new Error(
        `The streams ${prefix} of the area ${area} have no tenant: add \`tenant\` to these streams in ${fileOf(area)}; src/projections/audit/tenants.ts lists the rules.`,
      );
    const personal = events.find((type) => Object.keys(type.personal).length > 0);
    if (personal && erasure === undefined)
      throw new Error(
        `${personal.type} of the area ${area} has personal members that no erasure reaches: add \`erasure\` to the streams ${prefix} in ${fileOf(area)}; src/areas/streams.ts lists the rules.`,
      );
  }
  const registered = areas.flatMap(({ sequences }) => sequences);
  expectUnique(
    'sequence',
    areas.flatMap(({ name: area, sequences }) => sequences.map(({ name }) => [name, area] as const)),
    ', or remove one from `sequences` in src/areas/<area>.ts',
  );
  for (const { name } of allSequences())
    if (!registered.some((sequence) => sequence.name === name))
      throw new Error(
        `The sequence ${name} is of no area: add it to \`sequences\` in the file of its area, src/areas/<area>.ts.`,
      );
}

/** Checks operations: their names must be unique, and the read models that they wait for must exist. */
export function checkOperations(operations: readonly Operation[], readModels: readonly string[]): void {
  expectUnique(
    'operation',
    operations.map(({ name, area }) => [name, area] as const),
    ' in src/api/areas/<area>',
  );
  const known = new Set(readModels);
  for (const { name, reads = [], awaits = [] } of operations)
    for (const model of [...reads, ...awaits])
      if (!known.has(model))
        throw new Error(
          `The operation ${name} waits for the read model ${model}, which no area registers: add it to \`readModels\` in src/areas/<area>.ts, or change \`reads\` or \`awaits\` of the operation.`,
        );
}

/** Feeds and operations must have different names, because both are fields of one schema. */
export function checkFeeds(feeds: readonly Feed[], operations: readonly Operation[]): void {
  expectUnique(
    'feed or operation',
    [...operations, ...feeds].map(({ name, area }) => [name, area] as const),
    ' in src/api/areas/<area>',
  );
}

/** `named`: each name with its area. `where`: the end of the error message, with the files to change. */
function expectUnique(what: string, named: readonly (readonly [name: string, area: string])[], where: string): void {
  const known = new Map<string, string>();
  for (const [name, area] of named) {
    if (known.has(name))
      throw new Error(
        `The ${what} ${name} is used twice, by ${known.get(name)} and ${area}: rename one of them${where}.`,
      );
    known.set(name, area);
  }
}

/** What is wrong with the areas together, told before anything starts. */
import { hasTimers } from '../projections/timers/read-model.js';
import { allSequences } from '../projections/core/sequence.js';
import type { Feed } from '../api/core/feed.js';
import type { Operation } from '../api/core/operation.js';
import type { Area } from './area.js';

type Facts = Pick<Area<never>, 'name' | 'streams' | 'readModels' | 'sequences'>;

/** Throws a sentence that says what to do, for the first thing that is wrong. */
export function checkAreas(areas: readonly Facts[]): void {
  const streams = areas.flatMap(({ name, streams: families }) => families.map((family) => ({ area: name, ...family })));
  once(
    'area',
    areas.map(({ name }) => [name, name]),
  );
  once(
    'stream prefix',
    streams.map(({ prefix, area }) => [prefix, area]),
  );
  once(
    'event type',
    streams.flatMap(({ events, area }) => events.map(({ type }) => [type, area] as const)),
  );
  once(
    'read model',
    areas.flatMap(({ name, readModels }) => readModels.map((model) => [model.name, name] as const)),
  );
  for (const { prefix, area } of streams)
    if (!/^[a-z]+-$/.test(prefix))
      throw new Error(`The stream prefix ${prefix} of the area ${area} must be one word and a hyphen, as in route-.`);
  for (const { area, prefix, events, tenant, erasure, expires } of streams) {
    if (hasTimers({ events }) !== (expires !== undefined))
      throw new Error(
        `The streams ${prefix} of the area ${area} must say \`expires\` if event types of them say timers, and only then.`,
      );
    if (tenant === undefined)
      throw new Error(
        `The streams ${prefix} of the area ${area} have no tenant: say whose events they are (projections/audit/tenants.ts).`,
      );
    const personal = events.find((type) => Object.keys(type.personal).length > 0);
    if (personal && erasure === undefined)
      throw new Error(
        `${personal.type} of the area ${area} has personal members that no erasure reaches: give the streams ${prefix} an erasure.`,
      );
  }
  const registered = areas.flatMap(({ sequences }) => sequences);
  once(
    'sequence',
    registered.map(({ name }) => [name, name]),
  );
  for (const { name } of allSequences())
    if (!registered.some((sequence) => sequence.name === name))
      throw new Error(`The sequence ${name} is of no area: add it to its area's sequences.`);
}

/** The same for operations: their names, and the read models that they wait for. */
export function checkOperations(operations: readonly Operation[], readModels: readonly string[]): void {
  once(
    'operation',
    operations.map(({ name, tag }) => [name, tag] as const),
  );
  const known = new Set(readModels);
  for (const { name, reads = [], awaits = [] } of operations)
    for (const model of [...reads, ...awaits])
      if (!known.has(model))
        throw new Error(`The operation ${name} waits for the read model ${model}, which no area registers.`);
}

/** Feeds share their names with operations: both are fields of one schema. */
export function checkFeeds(feeds: readonly Feed[], operations: readonly Operation[]): void {
  once(
    'feed or operation',
    [...operations, ...feeds].map(({ name, tag }) => [name, tag] as const),
  );
}

/** `named`: each name with the area that has it. */
function once(what: string, named: readonly (readonly [name: string, area: string])[]): void {
  const known = new Map<string, string>();
  for (const [name, area] of named) {
    if (known.has(name))
      throw new Error(`The ${what} ${name} is used twice, by ${known.get(name)} and ${area}: rename one of them.`);
    known.set(name, area);
  }
}

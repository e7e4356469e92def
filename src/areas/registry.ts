/** Everything that follows from a list of areas: streams, event types, read models, followers and tools. */
import { effectsReader } from '../effects/reader.js';
import { eventTypes } from '../events/core/codec.js';
import { auditIndex } from '../projections/audit/read-model.js';
import type { LogReader } from '../projections/core/lag.js';
import type { Projection } from '../projections/core/projection.js';
import { timers } from '../projections/timers/read-model.js';
import type { Area } from './area.js';
import { checkAreas } from './check.js';
import { streamsOf } from './streams.js';

export type Registry = ReturnType<typeof createRegistry>;

/** `areas`: in the order of the API documents. Throws an error with an explanation if they conflict. */
export function createRegistry(areas: readonly Area<never>[]) {
  checkAreas(areas);
  const streams = streamsOf(areas);
  const effects = effectsReader(streams);
  return {
    areas,
    /** All stream definitions with their areas. The topics of the relay follow from them. */
    streams,
    types: eventTypes(...streams.map(({ events }) => events as never)),
    projections: [
      ...areas.flatMap(({ readModels }) => readModels),
      timers(streams) as unknown as Projection,
      auditIndex(streams) as unknown as Projection,
    ] as readonly Projection[],
    /** Followers of the log in addition to the projections. Reads of the API do not depend on them. */
    followers: [
      ...areas.flatMap(({ followers = [] }) => followers),
      ...(effects ? [effects] : []),
    ] as readonly LogReader[],
    /** Read models that followers maintain, in addition to the projections. */
    followerReadModels: areas.flatMap(({ followerReadModels = [] }) => followerReadModels),
    /** The tools that areas add to the MCP servers. */
    tools: {
      operations: areas.flatMap(({ tools }) => tools?.operations ?? []),
      developer: areas.flatMap(({ tools }) => tools?.developer ?? []),
    },
  };
}

/** Names of all read models of the areas. */
export const readModelsOf = ({ projections, followerReadModels }: Registry): readonly string[] => [
  ...projections.map(({ name }) => name),
  ...followerReadModels,
];

/**
 * An area is one registration of everything that a feature area adds to the service. Composition iterates over the list
 * of areas (index.ts) and names no area. docs/add-an-area.md shows the smallest real area.
 */
import type { Examples } from '../api/core/example.js';
import type { Feed } from '../api/core/feed.js';
import type { Operation } from '../api/core/operation.js';
import type { ToolDefinition } from '../api/mcp/definition.js';
import type { FileReader } from '../api/areas/files/operations.js';
import type { JobKind } from '../api/areas/jobs/kind.js';
import { statuses, type MessageRow, type Statuses } from '../api/core/messages/messages.js';
import type { Forget } from '../commands/privacy/erasing.js';
import type { EffectKind } from '../effects/kinds.js';
import type { InboundAdapter } from '../effects/inbound.js';
import type { LogReader } from '../projections/core/lag.js';
import type { Projection, ReadModelName } from '../projections/core/projection.js';
import type { Sequence } from '../projections/core/sequence.js';
import type { AreaContext } from './area-context.js';
import type { Streams } from './streams.js';

/** Stops background work. Resolves when no work is in progress. */
export type Stop = () => Promise<unknown>;

export interface AreaDefinition<Services> {
  /** Also the last part of the area's Kafka topic. */
  readonly name: string;
  readonly streams?: readonly Streams[];
  readonly readModels?: readonly unknown[];
  /** Followers of the log of the area, for metrics and health. Without those that maintain a table for reads. */
  readonly followers?: readonly LogReader[];
  /** Read models that a follower of the area maintains, in addition to the projections. */
  readonly followerReadModels?: readonly ReadModelName[];
  readonly sequences?: readonly Sequence[];
  /** The error codes of the area with their HTTP statuses. The texts are in src/messages. */
  readonly errors?: Statuses;
  /** Errors whose texts the area provides itself. */
  readonly messages?: Readonly<Record<string, MessageRow>>;
  readonly tools?: { readonly operations?: readonly ToolDefinition[]; readonly developer?: readonly ToolDefinition[] };
  /**
   * Services for the area's operations, its background work and other areas. Created once per process, on first use.
   */
  readonly services?: (context: AreaContext) => Services;
  readonly operations?: (services: Services, context: AreaContext) => readonly Operation[];
  /** Example bodies of its operations for the API documents. */
  readonly examples?: Examples;
  /** The feeds of the area. */
  readonly feeds?: (services: Services, context: AreaContext) => readonly Feed[];
  /** Background work in processes that run projections: policies, repairs, workers. */
  readonly work?: (services: Services, context: AreaContext) => readonly Stop[];
  /** Kinds of long jobs that the area queues. */
  readonly jobs?: (services: Services, context: AreaContext) => readonly JobKind[];
  /** How the effects of the area's streams are performed: one for each of `Streams.effects`. */
  readonly effects?: (services: Services, context: AreaContext) => readonly EffectKind[];
  /** Adapters that receive signed calls from external systems. */
  readonly inbound?: (services: Services, context: AreaContext) => readonly InboundAdapter[];
  /** Decides whether the caller may read a file. An item of the area that the caller may read must refer to it. */
  readonly fileReader?: (services: Services, context: AreaContext) => FileReader;
  /** Background work in processes with the role `worker`. */
  readonly longWork?: (services: Services, context: AreaContext) => readonly Stop[];
  /** Closes the resources of its services, in every process. */
  readonly close?: (services: Services) => Promise<unknown> | void;
  /** Removes old rows from its tables. Runs at intervals. */
  readonly sweep?: (services: Services) => Promise<unknown>;
  /** Removes decrypted text of erased subjects from its tables. */
  readonly forget?: (services: Services) => Forget;
}

export interface Area<Services = unknown> extends AreaDefinition<Services> {
  readonly streams: readonly Streams[];
  readonly readModels: readonly Projection[];
  readonly sequences: readonly Sequence[];
}

/** Registers an area; see `AreaDefinition`. `checkAreas` reports conflicts between areas. */
export function area<Services = undefined>(definition: AreaDefinition<Services>): Area<Services> {
  statuses(definition.errors ?? {});
  return {
    ...definition,
    streams: definition.streams ?? [],
    readModels: (definition.readModels ?? []) as readonly Projection[],
    sequences: definition.sequences ?? [],
  };
}

/**
 * What an area is: one registration of everything that it adds to the house. Composition goes over the list of areas
 * (index.ts) and knows none by name. docs/add-an-area.md shows the smallest real one.
 */
import type { Examples } from '../api/core/example.js';
import type { Feed } from '../api/core/feed.js';
import type { Operation } from '../api/core/operation.js';
import type { ToolDefinition } from '../api/mcp/definition.js';
import type { FileReader } from '../api/areas/files/operations.js';
import type { JobKind } from '../api/areas/jobs/kind.js';
import { statuses, type MessageRow, type Statuses } from '../api/core/messages/messages.js';
import type { Forget } from '../commands/privacy/erasing.js';
import type { Projection, ReadModelName } from '../projections/core/projection.js';
import type { Sequence } from '../projections/core/sequence.js';
import type { House } from './house.js';
import type { Streams } from './streams.js';

/** Ends what was started; resolves when nothing of it is under way. */
export type Stop = () => Promise<unknown>;

export interface AreaDefinition<Services> {
  /** Also the last part of its Kafka topic. */
  readonly name: string;
  readonly streams?: readonly Streams[];
  readonly readModels?: readonly unknown[];
  /** Read models that a follower of the area keeps, in addition to the projections. */
  readonly followed?: readonly ReadModelName[];
  readonly sequences?: readonly Sequence[];
  /** The codes of its errors, with their HTTP statuses; texts: src/messages. */
  readonly errors?: Statuses;
  /** Errors whose texts the area brings itself. */
  readonly messages?: Readonly<Record<string, MessageRow>>;
  readonly tools?: { readonly operations?: readonly ToolDefinition[]; readonly developer?: readonly ToolDefinition[] };
  /** What its operations, its work and other areas use of it; made once a process, when it is first asked for. */
  readonly services?: (house: House) => Services;
  readonly operations?: (services: Services, house: House) => readonly Operation[];
  /** Bodies of its operations as the documents show them. */
  readonly examples?: Examples;
  /** Its feeds. */
  readonly feeds?: (services: Services, house: House) => readonly Feed[];
  /** Background work where projections run: policies, repairs, workers. */
  readonly work?: (services: Services, house: House) => readonly Stop[];
  /** Kinds of long work that it queues. */
  readonly jobs?: (services: Services, house: House) => readonly JobKind[];
  /** Whether something of the area that the caller may read refers to a file. */
  readonly reads?: (services: Services, house: House) => FileReader;
  /** Background work in processes of the role `worker`. */
  readonly longWork?: (services: Services, house: House) => readonly Stop[];
  /** Ends what its services hold open, in every process. */
  readonly close?: (services: Services) => Promise<unknown> | void;
  /** Removes old rows of its tables, now and then. */
  readonly sweep?: (services: Services) => Promise<unknown>;
  /** Removes opened text that its tables hold of erased subjects. */
  readonly forget?: (services: Services) => Forget;
}

export interface Area<Services = unknown> extends AreaDefinition<Services> {
  readonly streams: readonly Streams[];
  readonly readModels: readonly Projection[];
  readonly sequences: readonly Sequence[];
}

/** Registers an area; see `AreaDefinition`. `checkAreas` reports what is wrong between areas. */
export function area<Services = undefined>(definition: AreaDefinition<Services>): Area<Services> {
  statuses(definition.errors ?? {});
  return {
    ...definition,
    streams: definition.streams ?? [],
    readModels: (definition.readModels ?? []) as readonly Projection[],
    sequences: definition.sequences ?? [],
  };
}

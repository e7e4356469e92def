/** The context that areas receive: engines, readers and writers of the log, and the services of other areas. */
import type { Caller } from '../api/core/callers.js';
import type { createMetrics } from '../api/core/metrics.js';
import type { FileReader } from '../api/areas/files/operations.js';
import type { JobKind } from '../api/areas/jobs/kind.js';
import type { MakeAllowance } from '../api/core/rate-limit.js';
import type { Operation } from '../api/core/operation.js';
import type { Parts } from '../api/core/parts.js';
import type { Tool } from '../api/mcp/tool.js';
import type { Commands } from '../commands/commands.js';
import type { Decider } from '../commands/core/decider.js';
import type { Handle } from '../commands/core/handle.js';
import type { Config } from '../config.js';
import type { Engines } from '../engines/open.js';
import type { SharedCounts } from '../engines/postgres/shared-counts.js';
import type { EventTypes } from '../events/core/codec.js';
import type { EventLog } from '../events/core/log.js';
import type { Sequence } from '../projections/core/sequence.js';
import type { Projection, ReadModelName } from '../projections/core/projection.js';
import type { Forget } from '../commands/privacy/erasing.js';
import type { EffectKind } from '../effects/kinds.js';
import type { InboundAdapter } from '../effects/inbound.js';
import type { Format } from '../serializers/format.js';
import type { Streams } from './streams.js';

export interface AreaContext extends Parts<
  'database' | 'progress' | 'directory' | 'logger' | 'now' | 'baseUrl' | 'version' | 'invoke'
> {
  readonly config: Config;
  readonly engines: Engines;
  readonly commands: Commands;
  /** Counters that all processes with the same database share. */
  readonly counts: SharedCounts;
  readonly allowance: MakeAllowance;
  readonly metrics: ReturnType<typeof createMetrics>;
  /** Timeline formats. The first one is the default. */
  readonly formats: readonly Format[];
  /** The event types of all areas. */
  readonly types: EventTypes;
  readonly streams: readonly (Streams & { readonly name: string })[];
  readonly readModels: readonly Projection[];
  /** Creates the handler of an area's commands over the log, or over a given wrapper of the log. */
  readonly handle: <State, Command, Reply>(
    decider: Decider<State, Command, Reply>,
    overrides?: { readonly log: EventLog },
  ) => Handle<Command, Reply>;
  /**
   * Reserves new integer ids. A repeated command gets the same ids for one day. Background work uses this function;
   * operations have a separate one.
   */
  readonly reserveIds: (sequence: Sequence, count: number, commandId: string) => Promise<readonly number[]>;
  /** Waits at the end of a job until these read models contain all current events of the log. Maximum ten seconds. */
  readonly awaitReadModels: (...readModels: readonly ReadModelName[]) => Promise<void>;
  /** The services of another area. That area must not use the services of the calling area. */
  readonly of: <Services>(area: ServingArea<Services>) => Services;
  /** The functions with which the areas delete data of erased subjects. */
  readonly forgetters: () => readonly Forget[];
  /** The areas' permission rules for files. */
  readonly fileReaders: () => readonly FileReader[];
  /** The kinds of long jobs of all areas. */
  readonly jobKinds: () => readonly JobKind[];
  /** The kinds of effects of all areas. */
  readonly effectKinds: () => readonly EffectKind[];
  /** The adapters of all areas that receive calls from external systems. */
  readonly inboundAdapters: () => readonly InboundAdapter[];
  /** All operations. Available when composition has ended. */
  readonly operations: () => readonly Operation[];
  /** Finds a tool of either MCP server by its name. */
  readonly tool: (name: string) => Tool | undefined;
  /** Names of the tools whose calls the caller can propose for approval. */
  readonly proposableTools: (caller: Caller) => readonly string[];
}

/** An area as far as other areas use it. */
export interface ServingArea<Services> {
  readonly name: string;
  readonly services?: (context: AreaContext) => Services;
}

/** What an area finds in the house: engines, the log's readers and writers, the other areas. */
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
import type { Format } from '../serializers/format.js';
import type { Streams } from './streams.js';

export interface House extends Parts<
  'database' | 'progress' | 'directory' | 'logger' | 'now' | 'baseUrl' | 'version' | 'invoke'
> {
  readonly config: Config;
  readonly engines: Engines;
  readonly commands: Commands;
  /** What the processes of a database count together. */
  readonly counts: SharedCounts;
  readonly allowance: MakeAllowance;
  readonly metrics: ReturnType<typeof createMetrics>;
  /** The formats of timelines; the first one is the default. */
  readonly formats: readonly Format[];
  /** Of all areas. */
  readonly types: EventTypes;
  readonly streams: readonly (Streams & { readonly name: string })[];
  readonly readModels: readonly Projection[];
  /** The handler of an area's commands over the log, or over a wrapping of it. */
  readonly handle: <State, Command, Reply>(
    decider: Decider<State, Command, Reply>,
    over?: { readonly log: EventLog },
  ) => Handle<Command, Reply>;
  /** New integer ids; the same command gets the same ones for a day. For background work; an operation has its own. */
  readonly reserveIds: (sequence: Sequence, count: number, commandId: string) => Promise<readonly number[]>;
  /** Waits until these read models hold what is in the log by now; ten seconds at most. For the ends of jobs. */
  readonly settled: (...readModels: readonly ReadModelName[]) => Promise<void>;
  /** The services of another area, which must not need this one's. */
  readonly of: <Services>(area: Served<Services>) => Services;
  /** What each area does to forget. */
  readonly forgetters: () => readonly Forget[];
  /** The areas' rules on who may read files. */
  readonly fileReaders: () => readonly FileReader[];
  /** The kinds of long work of all areas. */
  readonly jobKinds: () => readonly JobKind[];
  /** All operations, once composition has ended. */
  readonly operations: () => readonly Operation[];
  /** A tool of either MCP server by its name. */
  readonly tool: (name: string) => Tool | undefined;
  /** Names of the tools whose calls can be proposed. */
  readonly proposableTools: () => readonly string[];
}

/** An area, as far as others need it. */
export interface Served<Services> {
  readonly name: string;
  readonly services?: (house: House) => Services;
}

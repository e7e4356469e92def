/** What an area says of its streams. */
import type { Decider } from '../commands/core/decider.js';
import type { Handle } from '../commands/core/handle.js';
import type { Expiring } from '../commands/timers/runner.js';
import type { EventType } from '../events/core/event-types.js';
import type { TenantRule } from '../projections/audit/tenants.js';

/** Of the house: the handler of an area's commands over the log. */
export interface Handling {
  readonly handle: <State, Command, Reply>(decider: Decider<State, Command, Reply>) => Handle<Command, Reply>;
}

/** Streams whose names begin alike, and the types of their events. */
export interface Streams {
  /** One word and a hyphen: `route-`. Engines and the relay know areas by the text before the first hyphen. */
  readonly prefix: string;
  readonly events: readonly EventType[];
  /** Whose events these are: who is shown them by the audit. */
  readonly tenant: TenantRule;
  /** How the people whose data these events hold can be forgotten. Must be given where a member is personal. */
  readonly erasure?: ErasureRule;
  /** How a stream learns that its timer is due: `({ handle }) => handle(decider)`. Where event types say timers. */
  readonly expires?: (house: Handling) => Expiring;
}

/**
 * `own`: the streams' names are subjects of keys, and each can be erased by its name. `mentions`: the data goes with
 * the subjects that the events mention. `otherwise`: by rules of its own (src/commands/privacy/subjects.ts).
 */
export type ErasureRule = 'own' | 'mentions' | 'otherwise';

/** First words of the streams whose names are subjects of erasure. */
export const ownSubjects = (streams: readonly Streams[]): readonly string[] =>
  streams.filter(({ erasure }) => erasure === 'own').map(({ prefix }) => prefix);

/** The streams of areas, each with the name of its area. */
export const streamsOf = (areas: readonly { readonly name: string; readonly streams: readonly Streams[] }[]) =>
  areas.flatMap(({ name, streams }) => streams.map((family) => ({ name, ...family })));

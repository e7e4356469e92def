/** Types with which an area describes its streams. */
import type { Decider } from '../commands/core/decider.js';
import type { Handle } from '../commands/core/handle.js';
import type { Expiring } from '../commands/timers/runner.js';
import type { EventType } from '../events/core/event-types.js';
import type { EffectSteps } from '../events/effects/steps.js';
import type { TenantRule } from '../projections/audit/tenants.js';

/** The part of the area context that streams need: it creates the handler of an area's commands over the log. */
export interface HandlerFactory {
  readonly handle: <State, Command, Reply>(decider: Decider<State, Command, Reply>) => Handle<Command, Reply>;
}

/** Streams with a common name prefix, and the types of their events. */
export interface Streams {
  /**
   * One word and a hyphen, such as `route-`. Engines and the relay identify areas by the text before the first hyphen.
   */
  readonly prefix: string;
  readonly events: readonly EventType[];
  /** The rule that finds the owning business of the events. The audit shows events to their owners. */
  readonly tenant: TenantRule;
  /** How personal data in these events can be erased. Required if an event type has personal members. */
  readonly erasure?: ErasureRule;
  /** The steps of the calls to external systems that these streams record. Their event types are in `events`, too. */
  readonly effects?: readonly EffectSteps[];
  /**
   * How a stream is notified that its timer is due: `({ handle }) => handle(decider)`. Required if event types define
   * timers.
   */
  readonly expires?: (context: HandlerFactory) => Expiring;
}

/**
 * How the personal data of a stream is erased:
 *
 * - `own`: the stream name is the subject of a key, and each stream can be erased by its name.
 * - `mentions`: the data is erased together with the subjects that the events mention.
 * - `otherwise`: by separate rules (src/commands/privacy/subjects.ts).
 */
export type ErasureRule = 'own' | 'mentions' | 'otherwise';

/** Prefixes of the streams whose names are subjects of erasure. */
export const ownSubjects = (streams: readonly Streams[]): readonly string[] =>
  streams.filter(({ erasure }) => erasure === 'own').map(({ prefix }) => prefix);

/** The streams of areas, each with the name of its area. */
export const streamsOf = (areas: readonly { readonly name: string; readonly streams: readonly Streams[] }[]) =>
  areas.flatMap(({ name, streams }) => streams.map((definition) => ({ name, ...definition })));

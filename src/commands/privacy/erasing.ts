/**
 * Erases the personal data of a subject. The decision is recorded first, as an event. Then the keys are destroyed, and
 * all stored plaintext is removed. These steps run immediately and are repeated until their completion is recorded.
 * Repeating a step changes nothing.
 */
import type { EventLog, JsonObject, Position, StoredEvent } from '../../events/core/log.js';
import { START } from '../../events/core/log.js';
import { ERASURE_PREFIX, erasureStream, SubjectErased } from '../../events/privacy/events.js';
import { TRACKING_PREFIX } from '../../events/trackings/events.js';
import type { ErasureSubject, ErasureSubjects } from './subjects.js';
import type { Cause, Handle } from '../core/handle.js';
import type { PrivacyCommand } from './decider.js';

/**
 * Deletes the plaintext data that an area stores of the subjects. The keys are already destroyed. Called again after a
 * crash.
 */
export type Forget = (keys: readonly string[], cause: Cause) => Promise<void>;

export interface ErasingOptions {
  readonly handle: Handle<PrivacyCommand, undefined>;
  readonly log: EventLog;
  readonly related: ErasureSubjects['related'];
  readonly destroy: (keys: readonly string[]) => Promise<void>;
  /**
   * Current captures whose documents contain events of these trackings. They are found by the parcels that they name,
   * and by the events that follow from them. `keys`: of the capture, and of its events about these trackings and others.
   */
  readonly capturesOf: (
    trackings: readonly string[],
    causes: readonly string[],
  ) => Promise<readonly { readonly keys: readonly string[]; readonly finished: boolean }[]>;
  /**
   * Key subjects of proposals that would change one of these streams, or whose approval led to events with these
   * causation ids. Their arguments may contain any personal data.
   */
  readonly proposalsAbout: (
    streams: readonly string[],
    causes: readonly string[],
    business: number,
  ) => Promise<readonly string[]>;
  readonly forgetters: readonly Forget[];
  /**
   * Erased keys that exist again after a restore, and those that interrupted erasures (`open`) did not destroy yet.
   * `newest` looks at a bounded number of keys.
   */
  readonly revived: {
    newest(): Promise<readonly RevivedKeys[]>;
    open(): AsyncIterable<RevivedKeys>;
    all(): AsyncIterable<RevivedKeys>;
  };
}

/** `business`: of the subjects; undefined: none. */
export type RevivedKeys = Pick<ErasureSubject, 'business' | 'keys'>;

export type Erasing = ReturnType<typeof createErasing>;

/** Number of keys that are destroyed together and listed in one event. */
const AT_ONCE = 1_000;
/** Maximum number of events of erasures that are in memory together. Each names at most `AT_ONCE` keys. */
const EVENTS_AT_ONCE = 100;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function createErasing({
  handle,
  log,
  related,
  destroy,
  capturesOf,
  proposalsAbout,
  forgetters,
  revived,
}: ErasingOptions) {
  async function run(
    subject: string,
  ): Promise<{ readonly position: Position | undefined; readonly finished: boolean }> {
    const events: StoredEvent[] = [];
    for await (const event of log.read(erasureStream(subject))) events.push(event);
    const decided = events.findLast(({ type }) => type === SubjectErased.type);
    if (!decided) return { position: undefined, finished: true };
    const cause = causeOf(decided);
    const { kind, business } = decided.data as unknown as Pick<ErasureSubject, 'kind' | 'business'>;
    const keys = new Set(keysIn(events));
    // Destroys the known keys immediately, because the search for captures takes a while.
    for (const some of inParts([...keys])) await destroy(some);
    await nameRelated({ subject, kind, business }, decided.id, cause, async (further) => {
      await destroy(further);
      for (const key of further) keys.add(key);
    });
    const additional = new Set<string>();
    let finished = true;
    for (const some of inParts([...keys])) {
      const more = await clean(some, cause);
      for (const key of more.keys) additional.add(key);
      finished &&= more.finished;
    }
    if (!finished) return { position: decided.position, finished };
    const { position } = await handle(
      erasureStream(subject),
      { do: 'destroyed', subject, keys: [...additional] },
      cause,
    );
    return { position, finished };
  }

  /** Adds related keys of the subject to the erasure. They are searched page by page, and again after a crash. */
  async function nameRelated(
    { subject, kind, business }: Pick<ErasureSubject, 'subject' | 'kind' | 'business'>,
    commandId: string,
    cause: Cause,
    named: (keys: readonly string[]) => Promise<void>,
  ): Promise<void> {
    if (business === undefined) return;
    for await (const page of related(subject, business)) {
      for (const keys of inParts(page)) {
        await handle(erasureStream(subject), { do: 'erase', commandId, subject, kind, business, keys }, cause);
        await named(keys);
      }
    }
  }

  /**
   * Destroys the captures and proposals that depend on these destroyed keys, and removes their data. Returns the
   * additional keys.
   */
  async function clean(
    keys: readonly string[],
    cause: Cause,
  ): Promise<{ readonly keys: readonly string[]; readonly finished: boolean }> {
    const streams = keys.map(streamOf);
    const causes = await causesOf(streams);
    const captures = await capturesOf(
      keys.filter((key) => UUID.test(key)),
      causes,
    );
    // An unfinished capture still has to write events of other people's parcels. It ends soon, and is destroyed then.
    const ended = captures.filter(({ finished }) => finished);
    const proposals = cause.business === undefined ? [] : await proposalsAbout(streams, causes, Number(cause.business));
    const more = [...ended.flatMap(({ keys }) => keys), ...proposals];
    await destroy(more);
    for (const forget of forgetters) await forget([...keys, ...more], cause);
    return { keys: more, finished: ended.length === captures.length };
  }

  /** Causation ids of the streams' events. */
  async function causesOf(streams: readonly string[]): Promise<string[]> {
    return [
      ...new Set(
        [...(await log.readMany(streams)).values()]
          .flat()
          .flatMap(({ metadata }) =>
            UUID.test(String(metadata['$causationId'])) ? [String(metadata['$causationId'])] : [],
          ),
      ),
    ];
  }

  return {
    /** `finished`: no key is left. Otherwise the erasure continues in the background. */
    async erase(
      { subject, kind, business, keys }: ErasureSubject,
      commandId: string,
      cause: Cause,
    ): Promise<{ readonly position: Position | undefined; readonly finished: boolean }> {
      const decided = await handle(
        erasureStream(subject),
        { do: 'erase', commandId, subject, kind, business, keys },
        cause,
      );
      if (cause.dryRun) {
        await nameRelated({ subject, kind, business }, commandId, cause, () => Promise.resolve());
        return { position: decided.position, finished: false };
      }
      // The decision is recorded, so failed steps are repeated later.
      return run(subject).catch(() => ({ position: decided.position, finished: false }));
    },
    /** Completes a decided erasure. Returns false while a capture with the subject's events has not ended. */
    finish: async (subject: string): Promise<boolean> => (await run(subject)).finished,
    /**
     * Adds keys of later data to a decided erasure, and completes it. They are recorded before they are destroyed, so
     * that a restore of older keys destroys them too.
     */
    async extend({ subject, kind, business, keys }: ErasureSubject, causationId: string): Promise<void> {
      const cause = { ...causeFor(business), causationId };
      for (const some of inParts(keys)) {
        await handle(
          erasureStream(subject),
          { do: 'erase', commandId: causationId, subject, kind, business, keys: some },
          cause,
        );
        await destroy(some);
      }
      // The decision is recorded, so failed steps are repeated later.
      await run(subject).catch(() => undefined);
    },
    /**
     * Destroys erased keys that exist again. Returns their number. Searches all erasures only if a complete one among
     * the newest has such keys.
     */
    async sweep(): Promise<number> {
      // Keys of an interrupted erasure. Its other steps are repeated by `finish`.
      for await (const { keys } of revived.open()) for (const some of inParts(keys)) await destroy(some);
      if ((await revived.newest()).length === 0) return 0;
      let count = 0;
      for await (const { business, keys } of revived.all())
        for (const some of inParts(keys)) {
          await destroy(some);
          for (const forget of forgetters) await forget(some, causeFor(business));
          count += some.length;
        }
      return count;
    },
  };
}

/**
 * Yields the keys that are destroyed according to the log after a position, at most 1,000 at a time. Uses only the log,
 * for the time after a restore when the read models do not exist yet.
 */
export async function* erasedKeys(
  log: EventLog,
  { after = START, signal }: { readonly after?: Position; readonly signal: AbortSignal },
): AsyncIterable<readonly string[]> {
  const head = await log.head();
  if (after >= head) return;
  const batches = log.subscribe(after, { prefixes: [ERASURE_PREFIX], batch: EVENTS_AT_ONCE, signal });
  for await (const { events, position } of batches) {
    yield* inParts(keysIn(events));
    if (position >= head) break;
  }
  signal.throwIfAborted();
}

function* inParts(keys: readonly string[]): Iterable<readonly string[]> {
  for (let from = 0; from < keys.length; from += AT_ONCE) yield keys.slice(from, from + AT_ONCE);
}

const keysIn = (events: readonly StoredEvent[]): string[] => [
  ...new Set(events.flatMap(({ data }) => (data['keys'] ?? []) as string[])),
];

const SYSTEM: Cause = { correlationId: 'privacy-sweep', actor: { kind: 'system', id: 'privacy' }, channel: 'system' };

const causeFor = (business: number | undefined): Cause => ({
  ...SYSTEM,
  ...(business !== undefined && { business: String(business) }),
});

/** Keys of trackings are named by their plain ids, all other keys by their streams. */
const streamOf = (key: string): string => (UUID.test(key) ? `${TRACKING_PREFIX}${key}` : key);

/** The cause of the following steps: the same request, executed by the service. */
function causeOf({ id, metadata, data }: StoredEvent): Cause {
  const business = (data as JsonObject)['business'];
  return {
    ...SYSTEM,
    correlationId: String(metadata['$correlationId']),
    causationId: id,
    ...(business !== undefined && { business: String(business) }),
  };
}

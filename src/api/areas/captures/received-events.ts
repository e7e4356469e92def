/**
 * Finds captured events as they were received. Since version 3 of `EpcisCaptured`, the events are stored separately.
 * Before, they were stored only as a part of their document.
 */
import type { ReceivedEvent } from '../../../events/captures/text.js';
import type { StoredCapture } from '../../../events/captures/stored.js';
import type { ReadEvent, SoundEvent } from '../../../commands/captures/outcomes.js';
import type { SourceType } from '../../../events/otep/model.js';
import type { CapturedEvents, CapturedRef } from '../../../projections/captures/captured-events.js';
import type { EpcisScan } from '../../../projections/captures/epcis-queries.js';
import type { EpcisRetractionRow } from '../../../projections/captures/epcis-retractions.js';
import { declarationName } from '../../../events/captures/names.js';
import { readCapture } from './read.js';

/** The captured events of one page. */
export interface ReceivedEvents {
  /** Null if its key was destroyed; undefined if there is none. */
  eventOf(scans: readonly EpcisScan[]): Promise<ReceivedEvent | null | undefined>;
  /** The error declaration that retracted a scan; null and undefined as for the event. */
  declarationOf(retractions: readonly EpcisRetractionRow[]): Promise<ReceivedEvent | null | undefined>;
}

/** Loads the separately stored events at once. A document is read when one of its events is asked for. */
export async function loadReceivedEvents(
  captured: CapturedEvents,
  scans: readonly EpcisScan[],
  retractions: readonly EpcisRetractionRow[],
): Promise<ReceivedEvents> {
  const separate = await captured.find([...scans.flatMap(refOf), ...retractions.flatMap(declarationRefOf)]);
  const documents = new Map<string, Promise<readonly ReadEvent[]>>();
  const eventsIn = (cause: string) => {
    const events = documents.get(cause) ?? captured.captureOf(cause).then(eventsOfCapture);
    documents.set(cause, events);
    return events;
  };

  async function first(
    refs: readonly CapturedRef[],
    isIt: (event: SoundEvent) => boolean,
  ): Promise<ReceivedEvent | null | undefined> {
    const found = refs.map(separate);
    // The event disappears if one of the people in it was erased, also if another capture contains it.
    if (found.includes(null)) return null;
    const event = found.find((one) => one !== undefined);
    if (event) return event;
    for (const cause of new Set(refs.map((ref) => ref.cause))) {
      const event = (await eventsIn(cause)).find((one): one is SoundEvent => !('errors' in one) && isIt(one));
      if (event) return event.received;
    }
    return undefined;
  }

  return {
    eventOf: ([scan, ...others]) =>
      first([scan!, ...others].flatMap(refOf), ({ eventId, pushed }) => {
        const { given, earlier, former } = pushed.hashes ?? {};
        return (
          pushed.scan !== undefined && eventId === scan!.event_id && [given, earlier, former].includes(scan!.hash!)
        );
      }),
    declarationOf: ([retraction, ...others]) =>
      first([retraction!, ...others].flatMap(declarationRefOf), ({ pushed }) => {
        const { provider, event_id } = pushed.retraction ?? {};
        return (
          provider !== undefined &&
          pushed.hashes !== undefined &&
          declarationName(provider, event_id!) === retraction!.declaration
        );
      }),
  };
}

const refOf = ({ cause, id }: EpcisScan): CapturedRef[] => (cause === null ? [] : [{ cause, name: id }]);
const declarationRefOf = ({ cause, declaration }: EpcisRetractionRow): CapturedRef[] =>
  cause === null ? [] : [{ cause, name: declaration }];

/** The events of a document, read as at its capture. Empty if it cannot be decrypted. */
function eventsOfCapture(capture: StoredCapture<unknown> | undefined): readonly ReadEvent[] {
  if (!capture?.content) return [];
  const { provider, kind, may_open, captured_at } = capture.data;
  try {
    const pusher = { id: provider, kind: kind as SourceType, mayOpen: may_open };
    return readCapture(capture.content.document, pusher, Date.parse(captured_at));
  } catch {
    // An earlier version of the reader accepted the document.
    return [];
  }
}

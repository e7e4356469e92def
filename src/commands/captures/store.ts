/** Stores a capture durably: its separate events and the rest of the document. */
import { captureStream, MAX_REFUSALS } from '../../events/captures/events.js';
import {
  APPEND_BYTES,
  bytesOf,
  replaceEvents,
  toParts,
  type CaptureContent,
  type Rejection,
} from '../../events/captures/text.js';
import type { KeyRing } from '../../events/core/codec.js';
import type { Position } from '../../events/core/log.js';
import type { Cause, Handle } from '../core/handle.js';
import type { Pusher, Targets } from '../trackings/targets.js';
import type { CaptureCommand } from './decider.js';
import { parcelKey, unattachedOf, type CaptureOutcome } from './outcomes.js';
import type { Captured, CaptureRequest, Plan } from './plan.js';
import { recordedNames, type AssignedIds } from './reuse.js';
import { inAppends, separateEvents } from './separate.js';

/** Returns a function that stores a document with its expected outcomes. A document that fits is one append. */
export function createStore(handle: Handle<CaptureCommand, undefined>, keyRing: KeyRing) {
  return async (
    pusher: Pusher,
    { id, document, behaviour, time }: CaptureRequest,
    plan: Plan & Pick<Captured, 'outcomes'> & { readonly ids: AssignedIds },
    cause: Cause,
  ): Promise<Position | undefined> => {
    const { events, groups, targets, outcomes } = plan;
    const trackings = [...new Set(targets.flatMap((some) => (some ?? []).map(({ id }) => id)))];
    const keys = await keyRing.keysFor(trackings);
    const separate = separateEvents(id, pusher.id, plan, (tracking) => !keys.has(tracking));
    const rejected = rejectionsOf(outcomes);
    const indexes = new Set([
      ...separate.flatMap(({ data }) => data.events.map(({ index }) => index)),
      ...rejected.map(({ index }) => index),
    ]);
    const resolved = groups.flatMap(({ push }, group) => {
      const found = targets[group];
      return found ? [{ parcel: parcelKey(push.subject), found }] : [];
    });
    const content: CaptureContent<Targets> = {
      document: replaceEvents(document, (event, index) => (indexes.has(index) ? null : event)),
      targets: resolved.map(({ found }) => found),
      parcels: resolved.map(({ parcel }) => parcel),
      ...(rejected.length > 0 && { rejected }),
    };
    const {
      digest,
      parts: [text = '', ...rest],
    } = toParts(content);
    const appends = inAppends(separate.map(({ data, ...rest }) => ({ data: { ...data, digest }, ...rest })));
    const last = appends.at(-1) ?? [];
    const isTogether = bytesOf(text) + last.reduce((sum, { size }) => sum + size, 0) <= APPEND_BYTES;
    for (const events of isTogether ? appends.slice(0, -1) : appends)
      await handle(captureStream(id), { do: 'events', id, events }, cause);
    for (const [index, text] of rest.entries())
      await handle(captureStream(id), { do: 'part', id, data: { part: index + 1, digest, text } }, cause);
    const data = {
      provider: pusher.id,
      kind: pusher.kind,
      may_open: pusher.mayOpen,
      behaviour,
      captured_at: new Date(time).toISOString(),
      events: events.length,
      unattached: unattachedOf(events, outcomes, pusher.id),
      names: recordedNames(plan.ids, outcomes),
      trackings,
      parts: rest.length + 1,
      digest,
      text,
    };
    const command = { do: 'capture', id, data, events: isTogether ? last : [] } as const;
    return (await handle(captureStream(id), command, cause)).position;
  };
}

/** The rejected events, with as many errors as the end of a capture records. */
function rejectionsOf(outcomes: readonly CaptureOutcome[]): Rejection[] {
  let room = MAX_REFUSALS;
  return outcomes.flatMap(({ outcome, event_id, errors = [] }, index) => {
    if (outcome !== 'rejected') return [];
    const kept = errors.slice(0, room);
    room -= kept.length;
    return [{ index, ...(event_id !== undefined && { eventId: event_id }), errors: kept }];
  });
}

/** Decides commands on a capture. It is stored once (long documents in parts) and ends once. */
import type { Fact } from '../../events/core/codec.js';
import type { EventType } from '../../events/core/event-types.js';
import {
  EpcisCapturePart,
  EpcisCaptured,
  EpcisCaptureFinished,
  type CaptureEnd,
} from '../../events/captures/events.js';
import { derivedId } from '../../events/otep/identity.js';
import type { z } from 'zod';
import type { Decider } from '../core/decider.js';

export type CaptureCommand =
  | { readonly do: 'part'; readonly id: string; readonly data: z.infer<typeof EpcisCapturePart.schema> }
  | { readonly do: 'capture'; readonly id: string; readonly data: z.infer<typeof EpcisCaptured.schema> }
  | { readonly do: 'finish'; readonly id: string; readonly data: CaptureEnd };

const TYPES = { part: EpcisCapturePart, capture: EpcisCaptured, finish: EpcisCaptureFinished } as const;

/** Id of the event that stored the capture. Events that follow from the capture have this causation id. */
export const capturedEventId = (id: string): string => factId({ do: 'capture', id } as CaptureCommand);

const factId = (command: CaptureCommand): string =>
  derivedId(
    'capture',
    command.do,
    command.id,
    ...(command.do === 'part' ? [command.data.digest, command.data.part] : []),
  );

/** The state is the set of event ids in the stream, so a retry adds nothing. */
export const captures: Decider<Set<string>, CaptureCommand, undefined> = {
  initial: () => new Set(),
  decide(done, command) {
    const id = factId(command);
    const fact: Fact = { id, type: TYPES[command.do] as EventType<unknown>, data: command.data, subject: command.id };
    return { facts: done.has(id) ? [] : [fact], reply: undefined };
  },
  evolve: (done, { id }) => done.add(id),
};

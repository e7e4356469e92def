/** Decides commands on a capture. It is stored once (long documents in parts) and ends once. */
import type { Fact } from '../../events/core/codec.js';
import {
  EpcisCapturePart,
  EpcisCaptured,
  EpcisCaptureFinished,
  EpcisEventCaptured,
  capturedEventId,
  type CapturedEventData,
  type CaptureEnd,
} from '../../events/captures/events.js';
import { derivedId } from '../../events/otep/identity.js';
import type { z } from 'zod';
import type { Decider } from '../core/decider.js';

/** Events that are stored separately. `key`: the key subject that encrypts them. */
export interface SeparateEvents {
  readonly data: CapturedEventData;
  readonly key: string;
}

export type CaptureCommand =
  | { readonly do: 'part'; readonly id: string; readonly data: z.infer<typeof EpcisCapturePart.schema> }
  | { readonly do: 'events'; readonly id: string; readonly events: readonly SeparateEvents[] }
  /** `events`: the last events, which are stored together with the document. */
  | {
      readonly do: 'capture';
      readonly id: string;
      readonly data: z.infer<typeof EpcisCaptured.schema>;
      readonly events: readonly SeparateEvents[];
    }
  | { readonly do: 'finish'; readonly id: string; readonly data: CaptureEnd };

function factsOf(command: CaptureCommand): Fact[] {
  const { id } = command;
  const events = 'events' in command ? command.events : [];
  const facts = events.map(({ data, key }): Fact => ({
    id: derivedId('capture', 'event', id, data.digest, data.events[0]!.index),
    type: EpcisEventCaptured as Fact['type'],
    data,
    subject: key,
  }));
  switch (command.do) {
    case 'events':
      return facts;
    case 'part': {
      const { data } = command;
      const factId = derivedId('capture', 'part', id, data.digest, data.part);
      return [{ id: factId, type: EpcisCapturePart as Fact['type'], data, subject: id }];
    }
    case 'capture':
      return [
        ...facts,
        { id: capturedEventId(id), type: EpcisCaptured as Fact['type'], data: command.data, subject: id },
      ];
    case 'finish':
      return [
        {
          id: derivedId('capture', 'finish', id),
          type: EpcisCaptureFinished as Fact['type'],
          data: command.data,
          subject: id,
        },
      ];
  }
}

/** The state is the set of event ids in the stream, so a retry adds nothing. */
export const captures: Decider<Set<string>, CaptureCommand, undefined> = {
  initial: () => new Set(),
  decide: (done, command) => ({ facts: factsOf(command).filter(({ id }) => !done.has(id)), reply: undefined }),
  evolve: (done, { id }) => done.add(id),
};

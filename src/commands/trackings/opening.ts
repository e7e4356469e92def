/** The first events of a tracking: its owner, its number, and the other providers that may write to it. */
import type { Fact } from '../../events/core/codec.js';
import { derivedId } from '../../events/otep/identity.js';
import { TrackingOpened, TrackingWriterGranted } from '../../events/trackings/events.js';
import type { TrackingCommand } from './command.js';

export function open({
  id,
  subject,
  opening,
  writers,
}: Omit<Extract<TrackingCommand, { kind: 'open' }>, 'kind'>): Fact[] {
  return [
    { id: derivedId('opened', id), type: TrackingOpened as Fact['type'], data: { ...opening, subject } },
    ...writers.map((provider) => ({
      id: derivedId('opened', id, provider),
      type: TrackingWriterGranted as Fact['type'],
      data: { provider },
    })),
  ];
}

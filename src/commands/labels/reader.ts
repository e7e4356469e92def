/** Reads the current state of a label order from the log. */
import { decoded } from '../../events/core/codec.js';
import type { StoredEvent } from '../../events/core/log.js';
import type { Parts } from '../../events/core/parts.js';
import { LabelOrderCreated, type NewLabelOrder } from '../../events/labels/events.js';
import { pastOf } from '../core/decider.js';
import { evolve, initial, type LabelState } from './state.js';

export interface ReadLabelOrder {
  readonly state: LabelState;
  /** The creation, with the personal data encrypted; undefined: there is no such order. */
  readonly created: NewLabelOrder | undefined;
  /** The events, decoded, oldest first. Personal data is encrypted. */
  readonly past: readonly StoredEvent[];
}

export const createLabelReader =
  ({ log, types }: Parts<'log' | 'types'>) =>
  async (stream: string): Promise<ReadLabelOrder> => {
    const past: StoredEvent[] = [];
    for await (const event of log.read(stream)) past.push(decoded(event, types));
    const state = past.reduce((now, event) => evolve(now, pastOf(event, event.data)), initial());
    const created = past.find(({ type }) => type === LabelOrderCreated.type)?.data as unknown as
      NewLabelOrder | undefined;
    return { state, created, past };
  };

export type LabelReader = ReturnType<typeof createLabelReader>;

/** Decides orders of a purchase, as an area with one kind of effect does. */
import type { Decider, PastEvent } from '../../../src/commands/core/decider.js';
import { beginEffect, noteEffect, recordEffect, type EffectBook } from '../../../src/commands/effects/book.js';
import { derivedId } from '../../../src/events/otep/identity.js';
import type { EffectCommand, EffectReply } from '../../../src/events/effects/records.js';
import { DoubleOrdered, PURCHASE, type Purchase } from './events.js';

/** Orders a purchase, and begins it. After a refusal, the same command begins the next attempt. */
export interface OrderCommand extends Purchase {
  readonly do: 'order';
  readonly stream: string;
  readonly business: number;
  readonly adapter: string;
  readonly account: string;
  readonly digest: string;
}

export type DoubleCommand = OrderCommand | EffectCommand;

export interface DoubleState {
  /** Key subject of the personal members: the stream itself. */
  subject: string | undefined;
  effects: EffectBook;
}

export const double: Decider<DoubleState, DoubleCommand, EffectReply> = {
  initial: () => ({ subject: undefined, effects: new Map() }),
  begins: (command) => command.do === 'order',

  decide({ subject, effects }, command) {
    if (command.do === 'effect') return recordEffect([PURCHASE], effects, command, subject);
    const { do: _do, digest, ...ordered } = command;
    const { stream, business, adapter, account } = ordered;
    const begun = beginEffect(PURCHASE, effects, { stream, business, about: 'parcel', adapter, account, digest });
    if (subject !== undefined) return begun;
    const fact = { id: derivedId('double', stream), type: DoubleOrdered as never, data: ordered, subject: stream };
    return { ...begun, facts: [fact, ...begun.facts] };
  },

  evolve(state, event: PastEvent) {
    if (event.type === DoubleOrdered.type) state.subject = event.data['stream'] as string;
    state.effects = noteEffect([PURCHASE], state.effects, event);
    return state;
  },
};

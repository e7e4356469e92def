/** Random commands to dispatch boards of a day, of the business and of a contractor. */
import { dispatch } from '../../../../../src/commands/dispatch/decider.js';
import { DispatchDecisionRecorded, dispatchStream } from '../../../../../src/events/dispatch/events.js';
import { orderStream } from '../../../../../src/events/orders/events.js';
import { routeStream } from '../../../../../src/events/routes/events.js';
import { generator, type Tools } from '../generator.js';
import type { Pick } from '../pick.js';

const DAY = '2026-03-02';

function named({ business, id, now }: Tools, pick: Pick) {
  const number = pick.of(4);
  const subject = number % 2 === 0 ? orderStream(id(number)) : routeStream(id(number));
  const of = { item: `late:${id(number)}`, by: pick.of(2), desk: pick.one(undefined, 7), now };
  return { stream: dispatchStream(business, DAY), subject, of };
}

export const MIX = generator({
  take: (tools, pick) => {
    const { stream, of } = named(tools, pick);
    return tools.send(dispatch, stream, { ...of, do: 'take' });
  },
  return: (tools, pick) => {
    const { stream, of } = named(tools, pick);
    return tools.send(dispatch, stream, { ...of, do: 'return' });
  },
  decide: (tools, pick) => {
    const { stream, of, subject } = named(tools, pick);
    const decision = { ...pick.like(DispatchDecisionRecorded.schema), subject, until: tools.at(pick.of(9)) };
    return tools.send(dispatch, stream, { ...of, do: 'decide', takeOver: pick.flag(), decision });
  },
  reopen: (tools, pick) => {
    const { stream, of, subject } = named(tools, pick);
    return tools.send(dispatch, stream, { ...of, do: 'reopen', note: 'again', subject });
  },
});

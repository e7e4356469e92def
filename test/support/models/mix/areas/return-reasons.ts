/** Random commands to the return reasons of a business. */
import { returnReasons } from '../../../../../src/commands/return-reasons/decider.js';
import { returnReasonSchema, returnReasonsStream } from '../../../../../src/events/return-reasons/events.js';
import { generator, rarely } from '../generator.js';

export const MIX = generator({
  set: ({ send, business }, pick) => {
    const reason = {
      ...pick.like(returnReasonSchema),
      code: `reason_${pick.of(6)}`,
      labels: { en: `R ${pick.of(3)}` },
    };
    const command = { do: 'change' as const, change: { set: reason } };
    return send(returnReasons, returnReasonsStream(business), { id: business, business, ...command });
  },
  retire: ({ send, business }, pick) =>
    rarely(pick, 3, () => {
      const command = { do: 'change' as const, change: { retire: pick.one(`reason_${pick.of(6)}`, 'style', 'color') } };
      return send(returnReasons, returnReasonsStream(business), { id: business, business, ...command });
    }),
});

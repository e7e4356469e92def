/** Random commands to carrier accounts, and to their numbers. */
import { carrierAccounts, type CarrierAccountChange } from '../../../../../src/commands/carrier-accounts/decider.js';
import { createNumberStreams } from '../../../../../src/commands/carrier-accounts/number-streams.js';
import { EVENT_TYPES } from '../../../../../src/areas/index.js';
import { carrierAccountStream, methodIdOf, REFUND_MOMENTS } from '../../../../../src/events/carrier-accounts/events.js';
import { stopSchema, type Stop } from '../../../../../src/events/orders/address.js';
import { createNumberQueries } from '../../../../../src/projections/carrier-accounts/numbers.js';
import { CAUSE } from '../../../worlds/test-core.js';
import { generator, rarely, type Tools } from '../generator.js';
import type { Pick } from '../pick.js';

const send = ({ send: to, business }: Tools, id: number, body: CarrierAccountChange) =>
  to(carrierAccounts, carrierAccountStream(id), { ...body, id, business });
const methods = (pick: Pick) =>
  ['standard', 'express', 'freight']
    .slice(pick.of(3))
    .map((code) => ({ code, name: `${code} ${pick.of(3)}`, carrier: 'Vans', formats: ['pdf', 'zpl'] }));
const address = (pick: Pick) => ({ ...pick.like(stopSchema), country: 'DE' });
const terms = (pick: Pick) => ({
  name: `Account ${pick.of(5)}`,
  settings: { rate_card_id: pick.of(3) },
  price_tolerance_percent: pick.one(null, '2.5'),
  refund_on: pick.one(...REFUND_MOMENTS),
});
const numbersOf = ({ core: { engines } }: Tools) => {
  const { log, keyRing, pool } = engines;
  return createNumberStreams({
    log,
    keyRing,
    types: EVENT_TYPES,
    now: Date.now,
    known: createNumberQueries(pool).known,
  });
};

export const MIX = generator({
  add: (tools, pick) =>
    send(tools, tools.fresh(), {
      do: 'add',
      adapter: pick.one('sheet', 'other'),
      accountToken: `token ${pick.of(1_000)}`,
      credentialId: pick.one(undefined, 'first'),
      terms: { ...terms(pick), ...(pick.of(2) === 1 && { return_address: address(pick) }) },
      offered: methods(pick),
    }),
  change: (tools, pick) => send(tools, tools.existing(pick), { do: 'change', terms: terms(pick) }),
  address: (tools, pick) =>
    send(tools, tools.existing(pick), { do: 'change', terms: { return_address: pick.one<Stop>({}, address(pick)) } }),
  offer: (tools, pick) =>
    send(tools, tools.existing(pick), { do: 'change', offered: methods(pick), credentialId: `next ${pick.of(9)}` }),
  choose: (tools, pick) => {
    const id = tools.existing(pick);
    const methodId = methodIdOf(id, pick.of(2) + 1);
    const choice = { methodId, enabled: pick.of(2) === 1, markupCard: pick.one(null, 1) };
    return send(tools, id, { do: 'change', choices: [choice] });
  },
  disable: (tools, pick) => rarely(pick, 2, () => send(tools, tools.existing(pick), { do: 'disable' })),
  enable: (tools, pick) => send(tools, tools.existing(pick), { do: 'enable' }),
  async setRange(tools, pick) {
    const range = { prefix: `${pick.of(3)}4012345`, from: pick.of(2) * 100, to: 199 + pick.of(50) };
    const accountId = tools.id(pick.of(3));
    const commandId = `${tools.fresh()}`;
    const set = { ...range, business: tools.business, accountId, scheme: 'sscc', commandId } as const;
    const position = await numbersOf(tools).setRange(set, CAUSE);
    return { reply: undefined, changed: position !== undefined, position };
  },
  async draw(tools, pick) {
    const accountId = tools.id(pick.of(3));
    const drawn = await numbersOf(tools).draw(accountId, 'sscc', `key ${pick.of(200)}`);
    return { reply: undefined, changed: drawn !== undefined, position: undefined };
  },
});

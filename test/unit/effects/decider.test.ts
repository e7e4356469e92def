/** The steps of effects, decided by the area of the tests. */
import { expect } from 'chai';
import { effectIdFor } from '../../../src/events/effects/effect-id.js';
import type { EffectRecord } from '../../../src/events/effects/records.js';
import { given } from '../../support/checks/given.js';
import { double, type DoubleCommand } from '../../support/double/decider.js';

const stream = 'double-1';
const kind = 'double_purchase';
const order: DoubleCommand = {
  do: 'order',
  stream,
  business: 1,
  adapter: 'double_object',
  account: 'a',
  digest: 'd',
  note: 'For Ada',
};
const idOf = (attempt: number): string => effectIdFor({ stream, kind, about: 'parcel', attempt });
const record = (step: EffectRecord, attempt = 1): DoubleCommand => ({
  do: 'effect',
  kind,
  effectId: idOf(attempt),
  record: step,
});
const reserved: EffectRecord = { step: 'reserved', remoteId: 'o1' };
const done: EffectRecord = { step: 'done', result: { number: 'N1', label: 'L' } };
const refused: EffectRecord = { step: 'refused', code: 'DECLINED', text: 'Declined for Ada', final: true };
const open: EffectRecord = { step: 'left_open', cause: 'timeout' };
const past = (...commands: readonly DoubleCommand[]) => given(double, ...commands);
const settled = { by: 7, evidence: 'Invoice 12' };

describe('effects', () => {
  const begun = past(order);

  it('begin with the account, the digest of the request and the attempt', () => {
    const { facts, reply } = past().when(order);
    expect(facts[1]).to.deep.equal({
      type: 'DoublePurchaseBegun',
      data: {
        effect_id: idOf(1),
        business: 1,
        about: 'parcel',
        attempt: 1,
        adapter: 'double_object',
        account: 'a',
        digest: 'd',
      },
    });
    expect(reply.effect).to.deep.include({ effectId: idOf(1), step: 'begun', attempt: 1 });
  });

  it('begin again only after a refusal, as another effect', () => {
    for (const step of [reserved, open, done])
      expect(begun.when(record(step)).then.when(order).types, step.step).to.deep.equal([]);
    const { facts, reply } = begun.when(record(refused)).then.when(order);
    expect(facts.map(({ type }) => type)).to.deep.equal(['DoublePurchaseBegun']);
    expect(reply.effect).to.deep.include({ effectId: idOf(2), attempt: 2, step: 'begun' });
  });

  it('record the steps, and reply with the progress', () => {
    const { facts, reply } = begun.when(record(reserved));
    expect(facts).to.deep.equal([{ type: 'DoublePurchaseReserved', data: { effect_id: idOf(1), remote_id: 'o1' } }]);
    expect(reply.effect).to.deep.include({ step: 'reserved', remoteId: 'o1' });
    const after = begun.when(record(reserved)).then.when(record(done));
    expect(after.facts).to.deep.equal([
      { type: 'DoublePurchased', data: { effect_id: idOf(1), result: { number: 'N1', label: 'L' } } },
    ]);
    expect(begun.when(record(refused)).reply.effect).to.deep.include({
      step: 'refused',
      refusal: { code: 'DECLINED', final: true },
    });
  });

  it('are reserved once: the second worker gets the object of the first', () => {
    const { types, reply } = begun.when(record(reserved)).then.when(record({ step: 'reserved', remoteId: 'o2' }));
    expect(types).to.deep.equal([]);
    expect(reply.effect?.remoteId).to.equal('o1');
  });

  it('end once', () => {
    for (const [first, second] of [
      [done, refused],
      [refused, done],
      [done, open],
      [done, done],
    ] as const) {
      const { types, reply } = begun.when(record(first)).then.when(record(second));
      expect(types, `${first.step}, ${second.step}`).to.deep.equal([]);
      expect(reply.effect?.step).to.equal(first.step);
    }
  });

  it('that are open accept a late result', () => {
    const left = begun.when(record(open)).then;
    expect(left.when(record(open)).types).to.deep.equal([]);
    expect(left.when(record(done)).types).to.deep.equal(['DoublePurchased']);
    expect(left.when(record(reserved)).types, 'but are not reserved').to.deep.equal([]);
  });

  it('are settled while they are open, once, with one result', () => {
    const settling = record({ ...done, settled });
    expect(begun.refusal(settling), 'pending').to.equal('CONFLICT');
    const { facts, then } = begun.when(record(open)).then.when(settling);
    expect(facts[0]!.data).to.deep.include({ settled_by: 7, evidence: 'Invoice 12' });
    expect(then.when(settling).types).to.deep.equal([]);
    expect(then.refusal(record({ ...refused, settled })), 'the other result').to.equal('CONFLICT');
    expect(begun.when(record(done)).then.refusal(settling), 'done by the service').to.equal('CONFLICT');
  });

  it('of another kind, or that never began, are unknown', () => {
    for (const command of [record(done, 9), { ...record(done), kind: 'other' } as DoubleCommand])
      expect(begun.when(command)).to.deep.include({ types: [], reply: { effect: undefined } });
  });

  it('are read without a record', () => {
    const { types, reply } = begun.when({ do: 'effect', kind, effectId: idOf(1) });
    expect(types).to.deep.equal([]);
    expect(reply.effect?.step).to.equal('begun');
  });

  it('have ids of events that follow from the effect, so that two workers append one result', () => {
    expect(begun.when(record(done)).ids).to.deep.equal(begun.when(record(done)).ids);
  });
});

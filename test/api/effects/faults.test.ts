/** Faults of an external system: an action that happened is never recorded as refused, and happens once. */
import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { BEGUN, openEffects, type EffectWorld } from '../../support/worlds/effects.js';

describe('calls to an external system that fails', () => {
  let world: EffectWorld;
  before(async () => {
    world = await openEffects();
  });
  after(() => world?.stop());

  const untilDone = (id: string) =>
    eventually(async () => (await world.effect(id))?.['status'] === 'done', `the effect ${id} is done`);

  for (const [adapter, faults] of [
    ['double_object', ['late', 'twice', '500_then_done', 'broken', 'reset', 'unlisted']],
    ['double_key', ['late', 'twice', '500_then_done', 'broken', 'reset', 'unlisted']],
    // Without protection the external system acts on each request, so only the response may be lost.
    ['double_lookup', ['late', 'broken', 'reset']],
  ] as const)
    for (const fault of faults)
      it(`effects 2: ${adapter}, ${fault}: done once, never refused`, async () => {
        const { response, id, stream } = await world.order(adapter, fault);
        expect(response.status, response.text).to.equal(200);
        await untilDone(id);
        expect(await world.actionsOf(id)).to.equal(1);
        expect((await world.events(stream)).filter((type) => !BEGUN.includes(type))).to.deep.equal([
          ...(adapter === 'double_object' ? ['DoublePurchaseReserved'] : []),
          'DoublePurchased',
        ]);
      });

  it('effects 2: without protection an unknown result is left open, and never repeated', async () => {
    for (const fault of ['reset', 'broken']) {
      const { response, id, stream } = await world.order('double_none', fault);
      expect(response.json.step, fault).to.equal('left_open');
      expect(await world.events(stream)).to.deep.equal([...BEGUN, 'DoublePurchaseLeftOpen']);
      expect(await world.actionsOf(id)).to.equal(1);
    }
  });

  it('are continued by the worker if the request that began them ended', async () => {
    const { response, id } = await world.order('double_key', 'late');
    expect(response.json.step, 'the request does not wait for the whole call').to.equal('begun');
    await untilDone(id);
  });
});

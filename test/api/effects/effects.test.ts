/** Calls to an external system, over HTTP, with the double in a separate process. */
import { expect } from 'chai';
import { BEGUN, openEffects, type EffectWorld } from '../../support/worlds/effects.js';
import { startTestService } from '../../support/worlds/service.js';
import { signIns } from '../../support/worlds/users.js';

describe('calls to an external system', () => {
  let world: EffectWorld;
  before(async () => {
    world = await openEffects();
  });
  after(() => world?.stop());

  /** An open effect. `acted`: whether the external system acted. */
  async function openEffect(acted: boolean) {
    const { id, stream } = await world.order('double_none', acted ? 'reset' : 'always_500');
    expect((await world.effect(id))?.['status']).to.equal('open');
    return { id, stream };
  }
  const settle = (
    id: string,
    body: object,
    user: 'client_admin' | 'employee' | 'other_client_admin' = 'client_admin',
  ) => world.as(user, `/effects/${id}/settle`, { evidence: 'Seen on invoice 12', ...body });
  const listed = async (query: string, user: 'auditor' | 'other_client_admin' = 'auditor') =>
    (await world.as(user, `/effects${query}`)).json;

  it('are done within the request that began them', async () => {
    const reserving = await world.order('double_object');
    expect(reserving.response.json).to.deep.equal({ result: true, effect_id: reserving.id, step: 'done' });
    expect(await world.events(reserving.stream)).to.deep.equal([...BEGUN, 'DoublePurchaseReserved', 'DoublePurchased']);
    const keyed = await world.order('double_key');
    expect(await world.events(keyed.stream)).to.deep.equal([...BEGUN, 'DoublePurchased']);
    expect([await world.actionsOf(reserving.id), await world.actionsOf(keyed.id)]).to.deep.equal([1, 1]);
  });

  it('are refused with a listed code, and then begin again as another effect', async () => {
    const { response, id, stream } = await world.order('double_key', 'declined');
    expect(response.json.step).to.equal('refused');
    expect(await world.events(stream)).to.deep.equal([...BEGUN, 'DoublePurchaseRefused']);
    const again = await world.as('client_admin', `/doubles/${stream.slice('double-'.length)}`, {
      adapter: 'double_key',
      note: 'For Ada Lovelace',
      fault: 'declined',
    });
    expect(again.json).to.deep.include({ step: 'refused' });
    expect(again.json.effect_id).not.to.equal(id);
  });

  it('are listed while their result is unknown, to the staff of the business', async () => {
    const { id } = await openEffect(true);
    const { effects, total } = await listed('');
    expect(effects[0]).to.deep.include({
      id,
      kind: 'double_purchase',
      status: 'open',
      subject: 'parcel',
      adapter: 'double_none',
      account: 'account-1',
      attempts_made: 1,
      cause: 'connection',
    });
    expect(effects.every(({ status }: { status: string }) => status === 'open')).to.equal(true);
    expect((await listed('', 'other_client_admin')).total).to.equal(0);
    expect((await listed('?kind=inbox')).total).to.equal(0);
    expect((await listed('?kind=double_purchase')).total).to.equal(total);
    expect((await listed('?status=all')).total).to.be.above(total);
    const metrics = await (await fetch(`${world.test.url}/metrics`)).text();
    expect(metrics).to.match(new RegExp(`^effects_open ${total}$`, 'm'));
  });

  it('are listed in pages, each once', async () => {
    const whole = await listed('?status=all&per_page=200');
    const ids = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await listed(`?status=all&per_page=3${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      ids.push(...page.effects.map(({ id }: { id: string }) => id));
      cursor = page.next_cursor as string | null;
    }
    expect(ids).to.deep.equal(whole.effects.map(({ id }: { id: string }) => id));
  });

  it('that happened are settled with the result of the external system', async () => {
    const { id, stream } = await openEffect(true);
    const { status, json } = await settle(id, { happened: true });
    expect(status).to.equal(200);
    expect(json.effect).to.deep.include({ id, status: 'done' });
    const last = (await world.test.service.engines.log.readMany([stream])).get(stream)!.at(-1)!;
    expect(last.type).to.equal('DoublePurchased');
    expect(last.data).to.deep.include({ settled_by: world.test.demo.users.client_admin.id });
    expect((last.data['result'] as { number: string }).number).to.match(/^N\d+$/);
    expect(JSON.stringify(last.data), 'the evidence is encrypted').not.to.include('invoice');
  });

  it('that happened, but are not shown by the external system, need the result', async () => {
    const { id, stream } = await openEffect(false);
    const missing = await settle(id, { happened: true });
    expect(missing.status).to.equal(400);
    expect(missing.json.errors[0]).to.deep.include({ path: '/effect_result', code: 'REQUIRED' });
    const wrong = await settle(id, { happened: true, effect_result: { number: 7 } });
    expect(wrong.status).to.equal(400);
    expect(wrong.json.errors[0]).to.deep.include({ path: '/effect_result/number' });
    const right = await settle(id, { happened: true, effect_result: { number: 'N-by-hand' } });
    expect(right.json.effect.status).to.equal('done');
    expect(await world.events(stream)).to.deep.equal([...BEGUN, 'DoublePurchaseLeftOpen', 'DoublePurchased']);
  });

  it('that did not happen are settled as refused, and begin again', async () => {
    const { id, stream } = await openEffect(false);
    expect((await settle(id, { happened: false })).json.effect.status).to.equal('refused');
    expect(await world.events(stream)).to.deep.equal([...BEGUN, 'DoublePurchaseLeftOpen', 'DoublePurchaseRefused']);
  });

  it('are settled once: the same value changes nothing, the other one conflicts', async () => {
    const { id, stream } = await openEffect(true);
    await settle(id, { happened: true });
    const events = await world.events(stream);
    expect((await settle(id, { happened: true })).status).to.equal(200);
    expect(await world.events(stream)).to.deep.equal(events);
    const other = await settle(id, { happened: false });
    expect([other.status, other.json.code]).to.deep.equal([409, 'CONFLICT']);
  });

  it('are not settled by a version of the service that does not know their kind', async () => {
    const { id } = await openEffect(true);
    const other = await startTestService({ databaseUrl: world.test.databaseUrl, seed: false });
    try {
      const signIn = signIns({ ...other, demo: world.test.demo });
      const body = { happened: true, evidence: 'Seen on invoice 12' };
      const { status, json } = await other.api(`/effects/${id}/settle`, { key: await signIn('client_admin'), body });
      expect([status, json.code]).to.deep.equal([409, 'CONFLICT']);
    } finally {
      await other.stop();
    }
  });

  it('are not settled while they are pending or done, or by others', async () => {
    const done = await world.order('double_key');
    const pending = await world.order('double_key', 'always_500');
    for (const { id } of [done, pending]) {
      const { status, json } = await settle(id, { happened: true });
      expect([status, json.code]).to.deep.equal([409, 'CONFLICT']);
    }
    const { id } = await openEffect(true);
    expect((await settle(id, { happened: true }, 'other_client_admin')).status).to.equal(404);
    expect((await settle(id, { happened: true }, 'employee')).status).to.equal(403);
    expect((await settle('00000000-0000-4000-8000-000000000000', { happened: true })).status).to.equal(404);
    expect((await settle(id, { happened: true, evidence: 'no' })).status).to.equal(400);
  });

  it('are refused with 503 while the circuit of the account is open', async () => {
    await Promise.all(Array.from({ length: 10 }, () => world.order('double_lookup', 'always_500')));
    const { response } = await world.order('double_lookup');
    expect([response.status, response.json.code]).to.deep.equal([503, 'PROVIDER_UNAVAILABLE']);
    expect(Number(response.headers.get('retry-after'))).to.be.above(0);
    expect((await world.order('double_key')).response.json.step, 'another adapter').to.equal('done');
  });
});

/** Webhooks of alliances go to the affected businesses, each as a separate delivery (alliance.md R10). */
import { expect } from 'chai';
import { startReceiver, verify, type Receiver } from '../../support/fakes/webhook-receiver.js';
import { openAllianceWorld, type AllianceWorld, type Who } from '../../support/worlds/alliances.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { ALLOWED, SECRET } from '../../support/worlds/webhooks.js';

const KINDS = ['alliance_changed', 'alliance_access_granted', 'alliance_access_ended'] as const;
const WHO = ['client_admin', 'other_client_admin', 'third'] as const;

describe('webhooks of alliances', () => {
  let t: TestService;
  let w: AllianceWorld;
  const receivers = new Map<Who, Receiver>();
  before(async () => {
    t = await startTestService({ env: ALLOWED });
    w = await openAllianceWorld(t);
    for (const who of WHO) {
      const receiver = await startReceiver();
      receivers.set(who, receiver);
      const urls = Object.fromEntries(KINDS.map((kind) => [`${kind}_webhook_url`, `${receiver.url}/${kind}`]));
      const body = { ...urls, webhook_secret: SECRET, include_personal_data: who === 'client_admin' };
      expect((await w.as(who, '/webhook-settings', body, { method: 'PUT' })).status).to.equal(200);
    }
  });
  after(async () => {
    await t.stop();
    await Promise.all([...receivers.values()].map((receiver) => receiver.close()));
  });

  const did = async (who: Who, path: string, body: object = {}) => {
    const answer = await w.as(who, path, body);
    expect(answer.status, answer.text).to.be.below(300);
    return answer.json;
  };
  const logged = async (who: Who) => {
    const { json } = await w.as(who, '/webhook-deliveries?per_page=200');
    return (json.webhook_deliveries as { event_type: string }[]).filter(({ event_type }) =>
      event_type.startsWith('alliance'),
    );
  };
  /** The webhooks of a business in the order of the log, once it has this many and the collector has processed them. */
  const waitForWebhooks = async (who: Who, count: number) => {
    const received = await receivers.get(who)!.waitFor(count);
    expect(await logged(who), who).to.have.length(count);
    for (const one of received) verify(one, SECRET);
    return received
      .map(({ json }) => json)
      .sort((a, b) => (a.timestamp as string).localeCompare(b.timestamp as string))
      .map(({ type, data }) => [type, data.change ?? data.why ?? data.kind, data.business_id ?? data.grant_id]);
  };

  it('alliance 10: go to members and the target; for a grant, only to its giver and takers', async () => {
    const id = (await did('client_admin', '/alliances', { name: 'North' })).alliance.id as number;
    await did('client_admin', `/alliances/${id}/invitations`, { business_code: 'other' });
    await did('other_client_admin', `/alliances/${id}/invitations/answer`, { accept: true, contact: 'Bea 777' });
    const first = await w.grant(id, { kind: 'tracking', filter: { postal_prefixes: ['20'] } });
    await did('client_admin', `/alliances/${id}/invitations`, { business_code: 'third' });
    await did('third', `/alliances/${id}/invitations/answer`, { accept: true });
    const toAll = await w.grant(id, { kind: 'orders', to_business_id: undefined });
    const other = await w.grant(id, { kind: 'tracking_full' });
    await w.revoke(id, first);
    await did('client_admin', `/alliances/${id}/members/${w.taker}/remove`);
    await did('client_admin', `/alliances/${id}/dissolve`);

    const [CHANGED, GRANTED, ENDED] = ['alliance.changed', 'alliance.access_granted', 'alliance.access_ended'];
    const common = [
      [CHANGED, 'invited', w.taker],
      [CHANGED, 'joined', w.taker],
      [GRANTED, 'tracking', first],
      [CHANGED, 'invited', w.third],
      [CHANGED, 'joined', w.third],
      [GRANTED, 'orders', toAll],
      [GRANTED, 'tracking_full', other],
      [ENDED, 'revoked', first],
      [CHANGED, 'removed', w.taker],
      [ENDED, 'member_gone', other],
    ];
    const end = [
      [ENDED, 'dissolved', toAll],
      [CHANGED, 'dissolved', w.giver],
    ];
    const founding = [
      [CHANGED, 'founded', w.giver],
      [CHANGED, 'joined', w.giver],
    ];
    expect(await waitForWebhooks('client_admin', 14)).to.have.deep.members([...founding, ...common, ...end]);
    // A removed member is notified of its removal, and of nothing later.
    expect(await waitForWebhooks('other_client_admin', 10)).to.have.deep.members(common);
    // Neither events before its invitation, nor grants between the others.
    expect(await waitForWebhooks('third', 6)).to.have.deep.members([
      ...common.slice(3, 6),
      [CHANGED, 'removed', w.taker],
      ...end,
    ]);
  });

  it('contain the granted and ended access, the contact only with personal data enabled, and separate ids', () => {
    const of = (who: Who, type: string, change?: string) =>
      receivers.get(who)!.received.filter(({ json }) => json.type === type && json.data.change === change)[0]!;
    const { data } = of('other_client_admin', 'alliance.access_granted').json;
    expect(data).to.include({ name: 'North', from_business: w.giver });
    const tracking = receivers.get('other_client_admin')!.received.filter(({ json }) => json.data.kind === 'tracking');
    expect(tracking.map(({ json }) => [json.type, json.data.to_business])).to.have.deep.members([
      ['alliance.access_granted', w.taker],
      ['alliance.access_ended', w.taker],
    ]);
    expect(tracking.find(({ json }) => json.data.filter)!.json.data.filter).to.deep.equal({ postal_prefixes: ['20'] });
    const texts = (who: Who) =>
      receivers
        .get(who)!
        .received.map(({ text }) => text)
        .join();
    expect(texts('client_admin')).to.include('Bea 777');
    expect(texts('other_client_admin')).not.to.include('Bea 777');
    const ids = WHO.flatMap((who) => receivers.get(who)!.received.map(({ headers }) => headers['webhook-id']));
    expect(new Set(ids).size).to.equal(ids.length);
  });
});

/** Names of routes are encrypted, because tours are named after people: with a key per route that can be destroyed. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { routeStream } from '../../../src/events/routes/events.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { databaseText } from '../../support/checks/leaks.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, type AsUsers } from '../../support/worlds/users.js';

describe('names of routes', () => {
  let t: TestService;
  let as: AsUsers;
  before(async () => {
    t = await startTestService();
    as = asUsers(t);
  });
  after(() => t.stop());

  const create = async (name: string): Promise<number> => {
    const { status, json, text } = await as('employee', '/routes', { name, schedule_date: '2030-12-02' });
    expect(status, text).to.equal(201);
    expect(json.route.name).to.equal(name);
    return json.route.id as number;
  };
  const nameOf = async (id: number) => (await as('client_admin', `/routes/${id}`)).json.route.name as string;

  it('N13: are stored encrypted, in the log and in the read models, and are shown to readers', async () => {
    const id = await create('SECRET-tour of Max');
    expect(await nameOf(id)).to.equal('SECRET-tour of Max');
    const { routes } = (await as('employee', '/routes?schedule_date=2030-12-02')).json;
    expect(routes.map(({ name }: { name: string }) => name)).to.include('SECRET-tour of Max');
    expect(await databaseText(t.service)).to.not.contain('SECRET-tour');
    await expectSameReplay(t, ['routes', 'board']);
  });

  it('N13: end with the erasure of the route, and a rebuild does not bring them back', async () => {
    const [id, other] = [await create('SECRET-tour of Moritz'), await create('Plain tour')];
    const erased = await as('client_admin', `/privacy/subjects/${routeStream(id)}/erase`, {});
    expect(erased.status, erased.text).to.equal(200);
    expect(await nameOf(id)).to.equal(routeStream(id));
    expect(await nameOf(other)).to.equal('Plain tour');
    await t.service.progress.waitFor('audit_index', await t.service.engines.log.head(), 10_000);
    const answer = await as('client_admin', `/audit/streams/${routeStream(id)}/events?include_personal=true`);
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.text).to.contain('RouteCreated').and.not.contain('Moritz');
    await expectSameReplay(t, ['routes', 'board']);
    expect(await nameOf(id)).to.equal(routeStream(id));
  });

  it('N13: of version 1 of the event, which are plaintext, stay readable until the route is erased', async () => {
    const id = 900_001;
    const business = (await as('employee', '/me')).json.user.business_id as number;
    const { log } = t.service.engines;
    const [outcome] = await log.append([
      {
        stream: routeStream(id),
        expected: 'no-stream',
        events: [
          {
            id: randomUUID(),
            type: 'RouteCreated',
            version: 1,
            json: JSON.stringify({ route_id: id, business, name: 'Old tour', schedule_date: '2030-12-02' }),
            metadata: {
              actor: { kind: 'user', id: '1' },
              business: String(business),
              channel: 'rest',
              recorded_at: '2026-01-05T08:00:00.000Z',
              $correlationId: randomUUID(),
            },
          },
        ],
      },
    ]);
    expect(outcome!.outcome).to.equal('appended');
    await t.service.progress.waitFor('routes', await log.head(), 10_000);
    expect(await nameOf(id)).to.equal('Old tour');
    await expectSameReplay(t, ['routes']);
    const keptOf = async (route: number): Promise<string[]> => {
      const { status, json, text } = await as('client_admin', `/privacy/subjects/${routeStream(route)}/erase`, {});
      expect(status, text).to.equal(200);
      return json.kept.map(({ what }: { what: string }) => what);
    };
    expect(await keptOf(id)).to.include('plain_name');
    expect(await nameOf(id)).to.equal(routeStream(id));
    expect((await as('employee', '/routes?schedule_date=2030-12-02')).text).to.not.contain('Old tour');
    await expectSameReplay(t, ['routes']);
    expect(await nameOf(id)).to.equal(routeStream(id));
    expect(await keptOf(await create('New tour'))).to.not.include('plain_name');
  });
});

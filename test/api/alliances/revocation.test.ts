/** A revocation applies from its response on: in every process, and however far behind the read model is. */
import { expect } from 'chai';
import { callTool } from '../../support/clients/mcp.js';
import { graphql } from '../../support/clients/graphql.js';
import { openAllianceWorld, type AllianceWorld } from '../../support/worlds/alliances.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const ROUNDS = 10;
const READERS = 16;

describe('revocation', () => {
  let t: TestService;
  let second: TestService;
  let w: AllianceWorld;
  let dataset: number;
  before(async () => {
    const env = { RATE_LIMIT_READ: '1000000', RATE_LIMIT_WRITE: '1000000' };
    t = await startTestService({ env });
    second = await startTestService({ databaseUrl: t.databaseUrl, seed: false, env: { ...env, ROLES: 'api' } });
    w = await openAllianceWorld(t);
    const columns = [{ code: 'name', type: 'text' }];
    const made = await w.as('client_admin', '/datasets', { code: 'shared', name: 'Shared', columns });
    dataset = made.json.dataset.id as number;
  });
  after(async () => {
    await second.stop();
    await t.stop();
  });

  /** One read by each path through a process; each returns whether it showed something. */
  function readPaths(at: TestService, number: string, order: number, key: string): (() => Promise<boolean>)[] {
    const client = `business_id=${w.giver}`;
    const rest = (path: string) => async () => (await at.api(path, { key })).status === 200;
    return [
      rest(`/client/otep/trackings/${number}?${client}`),
      rest(`/orders/${order}?${client}`),
      rest(`/orders?${client}`),
      rest(`/pois?${client}`),
      rest(`/datasets/${dataset}?${client}`),
      async () => {
        const body = { business_id: w.giver };
        return (await at.api(`/datasets/${dataset}/search`, { key, body })).status === 200;
      },
      async () => {
        const query = `{ otepClientTracking(trackingNumber: "${number}", clientId: ${w.giver}) { delivered } }`;
        return (await graphql(at.url, query, { key })).data?.otepClientTracking != null;
      },
      async () => {
        const args = { tracking_number: number, business_id: w.giver };
        return (await callTool(at, 'otep_client_tracking', args, { token: key })).isError !== true;
      },
      async () => (await at.api('/alliances/accessible-clients', { key })).json.clients.length > 0,
    ];
  }

  async function granted() {
    const alliance = await w.allied();
    const grants = [
      await w.grant(alliance, { kind: 'tracking_full' }),
      await w.grant(alliance, { kind: 'orders' }),
      await w.grant(alliance, { kind: 'network' }),
      await w.grant(alliance, { kind: 'datasets', filter: { dataset_ids: [dataset] } }),
    ];
    return { alliance, grants };
  }

  it(`alliance 2: shows nothing to ${READERS * 2} readers of two processes after its response`, async () => {
    const { id, number } = await w.order();
    const key = await w.keyOf('other_client_admin');
    for (let round = 0; round < ROUNDS; round++) {
      const { alliance, grants } = await granted();
      let answered = false;
      let isOver = false;
      let shown = 0;
      const late: number[] = [];
      const readers = [t, second].flatMap((at) =>
        Array.from({ length: READERS }, async (_, index) => {
          const read = readPaths(at, number, id, key);
          for (let turn = index; !isOver; turn++) {
            const wasAnswered = answered;
            if (!(await read[turn % read.length]!())) continue;
            shown += 1;
            if (wasAnswered) late.push(turn % read.length);
          }
        }),
      );
      while (shown < 50) await new Promise((resolve) => setTimeout(resolve, 5));
      await Promise.all(grants.map((grant) => w.revoke(alliance, grant)));
      answered = true;
      await new Promise((resolve) => setTimeout(resolve, 100));
      isOver = true;
      await Promise.all(readers);
      expect(late, `round ${round}, ways`).to.deep.equal([]);
      await w.as('client_admin', `/alliances/${alliance}/dissolve`, {});
    }
  });

  for (const [what, act] of [
    ['a grant is revoked', (alliance: number) => w.revoke(alliance, 1)],
    ['the taker leaves', (alliance: number) => w.as('other_client_admin', `/alliances/${alliance}/leave`, {})],
    [
      'the taker is removed',
      (alliance: number) => w.as('client_admin', `/alliances/${alliance}/members/${w.taker}/remove`, {}),
    ],
    ['the alliance is dissolved', (alliance: number) => w.as('client_admin', `/alliances/${alliance}/dissolve`, {})],
  ] as const)
    it(`alliance 2: applies while the read model is stopped, when ${what}`, async () => {
      const { number, id } = await w.order();
      const alliance = await w.allied();
      await w.grant(alliance, { kind: 'tracking' });
      const key = await w.keyOf('other_client_admin');
      const read = readPaths(second, number, id, key)[0]!;
      expect(await read()).to.equal(true);
      // From here on the projection cannot write, but readers can read.
      const holder = await t.service.engines.pool.connect();
      try {
        await holder.query('begin; lock table alliances.alliances in share mode');
        expect((await act(alliance)).status).to.equal(200);
        const { rows } = await holder.query<{ grants: readonly unknown[] }>(
          'select grants from alliances.alliances where id = $1',
          [alliance],
        );
        expect(rows[0]!.grants, 'the read model still has it').to.have.length(1);
        expect(await read()).to.equal(false);
        const { json } = await second.api('/alliances/accessible-clients', { key });
        expect(json.clients).to.deep.equal([]);
      } finally {
        await holder.query('rollback');
        holder.release();
      }
    });

  it('does not affect other grants, and a returning member gets no former grants', async () => {
    const { number } = await w.order();
    const alliance = await w.allied();
    const first = await w.grant(alliance, { kind: 'tracking' });
    const other = await w.grant(alliance, { kind: 'tracking_full' });
    await w.revoke(alliance, first);
    await w.revoke(alliance, first);
    const { json } = await w.timeline(number);
    expect(json.via_alliance).to.deep.equal({ alliance_id: alliance, grant_id: other });
    // A member that joins again gets only grants that are made afterwards.
    await w.as('client_admin', `/alliances/${alliance}/members/${w.taker}/remove`, {});
    await w.as('client_admin', `/alliances/${alliance}/invitations`, { business_code: 'other' });
    await w.as('other_client_admin', `/alliances/${alliance}/invitations/answer`, { accept: true });
    expect((await w.timeline(number)).status).to.equal(404);
    await w.grant(alliance, { kind: 'tracking' });
    expect((await w.timeline(number)).status).to.equal(200);
  });
});

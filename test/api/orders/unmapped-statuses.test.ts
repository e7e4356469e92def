/** Statuses that a provider's table does not map: counted, shown only to that provider, and limited in number. */
import { expect } from 'chai';
import { MAX_UNMAPPED } from '../../../src/engines/postgres/unmapped-statuses.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { graphql } from '../../support/clients/graphql.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

interface UnmappedRow {
  readonly raw: string;
  readonly count: number;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
  readonly tracking_number: string | null;
}

describe('unmapped raw statuses', () => {
  let t: TestService;
  let key: string;
  before(async () => {
    t = await startTestService();
    key = await t.addProvider('unmapped');
  });
  after(() => t.stop());

  const raw = (code: string, hours = 1) => {
    const { status_code: _none, ...rest } = event('', hours);
    return { ...rest, raw: { code } };
  };
  const list = async (as = key): Promise<readonly UnmappedRow[]> => {
    const { status, json } = await t.api('/provider/status-mapping/unmapped', { key: as });
    expect(status).to.equal(200);
    return json.unmapped;
  };
  const push = (number: string, ...events: unknown[]) => t.push(timelineOf(number, events), { key });

  it('are counted with an example, over both push operations', async () => {
    expect(await list()).to.deep.equal([]);
    const [first, second] = [newNumber(), newNumber()];
    await push(first, raw('ZZ', 1), raw('ZZ', 2), raw('YY', 3), event('received', 4));
    const before = await list();
    expect(before.map((row) => [row.raw, row.count, row.tracking_number])).to.have.deep.members([
      ['ZZ', 2, first],
      ['YY', 1, first],
    ]);
    const { status } = await t.api('/otep/ingest/status', {
      key,
      body: { tracking_number: second, raw: { code: 'ZZ', text: 'Handed to Ada' } },
    });
    expect(status).to.equal(422);
    const [latest, other] = await list();
    expect(latest).to.include({ raw: 'ZZ', count: 3, tracking_number: second });
    expect(latest!.last_seen_at >= other!.last_seen_at).to.equal(true);
    expect(latest!.first_seen_at).to.equal(before.find((row) => row.raw === 'ZZ')!.first_seen_at);
    expect(JSON.stringify(await list())).not.to.include('Ada');
  });

  it('leave the list once they are mapped, and are visible to no other provider', async () => {
    await t.api('/provider/status-mapping', {
      method: 'PUT',
      key,
      body: { mapping: [{ raw: 'ZZ', status_code: 'received' }] },
    });
    expect((await list()).map((row) => row.raw)).to.deep.equal(['YY']);
    expect(await list(await t.addProvider('another'))).to.deep.equal([]);
    expect((await t.api('/provider/status-mapping/unmapped')).status).to.equal(401);
  });

  it('are available over GraphQL, too', async () => {
    const { data } = await graphql(t.url, '{ providerUnmappedStatuses { unmapped { raw count trackingNumber } } }', {
      key,
    });
    expect(data.providerUnmappedStatuses.unmapped).to.have.length(1);
    expect(data.providerUnmappedStatuses.unmapped[0]).to.include({ raw: 'YY', count: 1 });
  });

  it('are limited in number, keeping the latest; invalid codes are not stored', async () => {
    const codes = Array.from({ length: MAX_UNMAPPED + 50 }, (_, index) => `N${index}`);
    await push(newNumber(), ...codes.map((code) => raw(code)));
    await push(newNumber(), raw('a\u0000b'));
    await push(newNumber(), raw('LAST'), raw('x'.repeat(129)), raw(''));
    const rows = await list();
    expect(rows).to.have.length(MAX_UNMAPPED);
    expect(rows[0]!.raw).to.equal('LAST');
    expect(rows.some((row) => row.raw === 'YY')).to.equal(false);
  });
});

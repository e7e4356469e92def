/**
 * A stored database of the first release: the current service starts on it, finds all data, and continues.
 * `test/fixtures/first-release` has the PostgreSQL 15 data of commit 02b1449, and the last responses of that version.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { missingMembers } from '../../support/checks/missing-members.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { currentType } from '../../../src/events/webhooks/events.js';
import { withCurrentMembers } from '../../../src/events/core/renamed-members.js';
import { startRelease, type ReleaseKeys } from '../../support/worlds/release.js';
import type { TestService } from '../../support/worlds/service.js';

const FOLDER = 'test/fixtures/first-release';
/** The address of the service that gave the stored responses. */
const BASE_URL = 'http://127.0.0.1:8099';

const ORDER = {
  type: 'D',
  order_ref: 'AFTER-THE-UPGRADE',
  delivery: { name: 'Ada Muster', street: 'Invalidenstraße 44', city: 'Berlin', postal_code: '10115', country: 'DE' },
  packages: [{ weight_kg: 1 }],
};

interface RecordedResponses extends ReleaseKeys {
  readonly admin: { readonly email: string; readonly password: string };
  readonly provider_key: string;
  readonly api_key: string;
  readonly answers: Readonly<Record<string, unknown>>;
}

describe('a database of the first release', () => {
  const recorded = JSON.parse(readFileSync(`${FOLDER}/answers.json`, 'utf8')) as RecordedResponses;
  let world: TestService;
  let token: string;

  before(async () => {
    world = await startRelease(`${FOLDER}/database.sql.gz`, recorded);
  });
  after(() => world?.stop());

  it('accepts its users, providers and keys', async () => {
    const signedIn = await world.api('/user/login', { body: recorded.admin });
    expect(signedIn.status, signedIn.text).to.equal(200);
    token = signedIn.json.access_token;
    expect((await world.api('/orders', { key: recorded.api_key })).status).to.equal(200);
    const pushed = await world.push(
      {
        otep_version: '0.1',
        subject: { tracking_number: 'JD01402001' },
        events: [{ occurred_at: '2026-11-19T09:00:00+01:00', status_code: 'delivered', source: { type: 'carrier' } }],
      },
      { key: recorded.provider_key },
    );
    expect(pushed.json).to.include({ accepted: 1, duplicates: 0 });
  });

  for (const [path, answer] of Object.entries(recorded.answers)) {
    // It has one more scan now.
    if (path.includes('JD01402001')) continue;
    it(`returns ${path} as before`, async () => {
      const now = await world.api(path.replace('/api/v1', ''), path.includes('/otep/') ? {} : { key: token });
      expect(
        missingMembers(
          underCurrentNames(path, JSON.parse(JSON.stringify(answer).replaceAll(BASE_URL, world.url))),
          now.json,
        ),
        now.text,
      ).to.deep.equal([]);
    });
  }

  it('has the same read models as a replay of its log', () => expectSameReplay(world, ['orders', 'timeline']));

  it('continues its numbers', async () => {
    const last = Math.max(
      ...(recorded.answers['/api/v1/orders?per_page=50'] as { orders: { order_id: number }[] }).orders.map(
        (o) => o.order_id,
      ),
    );
    const made = await world.api('/client/orderCreate', { key: token, body: ORDER });
    expect(made.status, made.text).to.equal(201);
    expect(made.json.order_id).to.equal(last + 1);
  });
});

const RENAMED = {
  'order.order_id': 'id',
  'order.packages.*.weight': 'weight_kg',
  'orders.*.order_id': 'id',
  'orders.*.packages.*.weight': 'weight_kg',
};
/** The old response with the current names of docs/renames.md. */
function underCurrentNames(path: string, answer: Readonly<Record<string, unknown>>): unknown {
  const { result, ...members } = answer;
  if (path.endsWith('/webhook-settings')) {
    const endpoints = members['endpoints'] as readonly { readonly event_type: string }[];
    const renamed = endpoints.map((one) => ({ ...one, event_type: currentType(one.event_type) }));
    return { result, webhook_settings: { ...members, endpoints: renamed } };
  }
  return withCurrentMembers(answer, RENAMED);
}

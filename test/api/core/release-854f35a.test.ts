/**
 * A database of commit 854f35a, the last commit before the API got its present names: today's service starts on it,
 * lets its tokens in, and answers reads of orders, timelines, plans, proposals and the audit log as that commit did.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { withCurrentMembers, type RenamedMembers } from '../../../src/events/core/renamed-members.js';
import { verifyProof, type Proof } from '../../../src/events/tree/proof-documents.js';
import { missingMembers } from '../../support/checks/missing-members.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { startRelease, type ReleaseKeys } from '../../support/worlds/release.js';
import type { TestService } from '../../support/worlds/service.js';

const FOLDER = 'test/fixtures/release-854f35a';
/** Where the service was whose answers are kept. */
const BASE_URL = 'http://127.0.0.1:8099';

type Caller = 'client_admin' | 'auditor' | 'anonymous';
type Members = Readonly<Record<string, unknown>>;

interface RecordedResponses extends ReleaseKeys {
  readonly users: Readonly<Record<Exclude<Caller, 'anonymous'>, { readonly email: string; readonly password: string }>>;
  readonly provider_key: string;
  readonly api_key: string;
  readonly verifier_key: string;
  /** The newest signed head. */
  readonly head: string;
  readonly answers: Readonly<Record<Caller, Readonly<Record<string, Members>>>>;
}

describe('a database of commit 854f35a', () => {
  const recorded = JSON.parse(gunzipSync(readFileSync(`${FOLDER}/answers.json.gz`)).toString()) as RecordedResponses;
  const keys: Partial<Record<Caller, string>> = {};
  let world: TestService;

  before(async () => {
    world = await startRelease(`${FOLDER}/database.sql.gz`, recorded);
    for (const [name, body] of Object.entries(recorded.users)) {
      const { status, json, text } = await world.api('/user/login', { body });
      expect(status, text).to.equal(200);
      keys[name as Caller] = json.access_token;
    }
  });
  after(() => world?.stop());

  for (const [caller, answers] of Object.entries(recorded.answers))
    for (const [path, answer] of Object.entries(answers))
      it(`answers ${path} as before`, async () => {
        const before = JSON.parse(JSON.stringify(answer).replaceAll(BASE_URL, world.url)) as Members;
        const now = await world.api(currentPath(path), { key: keys[caller as Caller] });
        expect(missingMembers(underCurrentNames(path, before), now.json), now.text).to.deep.equal([]);
      });

  it('lets its API keys and providers in', async () => {
    expect((await world.api('/orders', { key: recorded.api_key })).status).to.equal(200);
    const event = { occurred_at: '2026-11-21T09:00:00Z', status_code: 'delivered', source: { type: 'carrier' } };
    const document = { otep_version: '0.1', subject: { tracking_number: 'FIX000000003' }, events: [event] };
    expect((await world.push(document, { key: recorded.provider_key })).json).to.include({
      accepted: 1,
      duplicates: 0,
    });
  });

  it('continues the signed log: its newest head is a part of the log of today', async () => {
    const [, size] = recorded.head.split('\n');
    const { json } = await world.api('/audit/heads', { key: keys.auditor });
    expect(json.heads.map((head: { checkpoint: string }) => head.checkpoint)).to.include(recorded.head);
    expect(json.heads.every((head: { verifier_key: string }) => head.verifier_key === recorded.verifier_key)).to.equal(
      true,
    );
    const proofs = Object.entries(recorded.answers.auditor).filter(([path]) => path.includes('/proofs/'));
    expect(proofs).to.have.length(3);
    for (const [, proof] of proofs)
      expect(verifyProof(proof as unknown as Proof, [recorded.verifier_key])).to.contain(size);
  });

  it('has the read models that a replay of its log gives', () =>
    expectSameReplay(world, ['orders', 'timeline', 'approvals', 'addresses']));
});

const currentPath = (path: string): string =>
  path
    .replace(/^\/api\/v[13]/, '')
    .replace('/client/build-route/', '/route-plans/')
    .replace('/approvals/', '/proposals/');

const under = (at: string, renamed: RenamedMembers): RenamedMembers =>
  Object.fromEntries(Object.entries(renamed).map(([path, name]) => [`${at}.${path}`, name]));

const ORDER = { order_id: 'id', 'packages.*.weight': 'weight_kg' };
const ROUTE = {
  route_id: 'id',
  plan_id: 'route_plan_id',
  scheduled_date: 'schedule_date',
  planned_start: 'planned_start_at',
  planned_end: 'planned_end_at',
};
const PLAN = {
  plan_id: 'id',
  date: 'schedule_date',
  'summary.orders': 'order_count',
  'summary.assigned': 'assigned_count',
  'summary.unassigned': 'unassigned_count',
  'summary.routes': 'route_count',
  'summary.solver.seconds': 'duration_s',
  'routes.*.start': 'start_at',
  'routes.*.end': 'end_at',
};
const PROPOSAL = {
  proposal_id: 'id',
  'decision.by': 'decided_by',
  'decision.at': 'decided_at',
  'execution.state': 'status',
  'execution.answer': 'response',
};

/** An answer under the names of docs/renames.md. */
function underCurrentNames(path: string, answer: Members): unknown {
  if (path.includes('/build-route/')) {
    const { plan, ...envelope } = answer;
    return { ...envelope, route_plan: withCurrentMembers(plan, PLAN) };
  }
  if (path.includes('/approvals/')) {
    const { proposal, about, preview, ...envelope } = withCurrentMembers(answer, under('proposal', PROPOSAL));
    return { ...envelope, proposal: { ...(proposal as Members), about, ...(preview !== undefined && { preview }) } };
  }
  if (path.includes('/routes/')) {
    const { route, progress, stops, orders, ...envelope } = withCurrentMembers(answer, under('route', ROUTE));
    const named = (orders as Members[]).map((order) => withCurrentMembers(order, { ...ORDER, order_type: 'type' }));
    return { ...envelope, route: { ...(route as Members), stage: progress, stops, orders: named } };
  }
  return withCurrentMembers(answer, {
    ...under('order', ORDER),
    ...under('orders.*', ORDER),
    ...under('addresses.*', { address_id: 'id', notes: 'note', default: 'is_default' }),
    ...under('events.*', path.includes('/audit/') ? { position: 'event_position' } : {}),
    ...(path.includes('/proofs/inclusion') && { position: 'event_position' }),
  });
}

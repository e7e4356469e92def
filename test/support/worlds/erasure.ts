/**
 * A service with all possible data about a recipient and a customer (C7), and searches for data that remains after
 * erasure.
 */
import { EVENT_TYPES, OWN_SUBJECTS } from '../../../src/areas/index.js';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { createErasure, type Erasure } from '../../../src/areas/wiring/erasure.js';
import { createDirectory } from '../../../src/projections/trackings/directory.js';
import { createTrackingQueries } from '../../../src/projections/trackings/queries.js';
import { FORMATS } from '../../../src/serializers/index.js';
import { documentOf, newParcel, scan } from '../inputs/epcis-documents.js';
import { callTool } from '../clients/mcp.js';
import { ORDER, STOP } from './orders.js';
import { newNumber, recently as event, timelineOf } from '../inputs/pushes.js';
import { startTestService, type TestService } from './service.js';
import { businessIds, causeOf, openTracking, sendToOrder } from './shipments.js';
import { signIns, type UserName } from './users.js';

/** Sign-in of the customer. */
export const EMAIL = 'secret.user@example.org';
export const PASSWORD = 'correct horse battery';

/** Texts that occur nowhere else. */
const ORDER_MARKERS = [
  'SECRET-recipient',
  'SECRET-street',
  'SECRET-note',
  'SECRET-hold',
  'SECRET-driver',
  'SECRET-description',
  'SECRET-extension',
  'SECRET-epcis',
  'SECRET-proof',
];
const USER_MARKERS = ['SECRET-user', EMAIL];
/** Texts of an order of the customer, and of everything that was recorded about it. */
const CUSTOMER_MARKERS = [
  'SECRET-customer',
  'SECRET-gate',
  'SECRET-assigned',
  'SECRET-instruction',
  'SECRET-proposed',
  'SECRET-change',
  'SECRET-approved',
  'SECRET-entry',
  'SECRET-removed',
];
export const MARKERS = [...ORDER_MARKERS, ...USER_MARKERS, ...CUSTOMER_MARKERS];

export const foundMarkers = (text: string): string[] => MARKERS.filter((marker) => text.includes(marker));

/** Folds a text like the search index, to find folded texts too. */
const normalized = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, ' ');
export const foundNormalizedMarkers = (text: string): string[] =>
  MARKERS.filter((marker) => normalized(text).includes(normalized(marker)));

export function erasureOf({ service: { engines, commands, progress } }: TestService): Erasure {
  return createErasure({
    types: EVENT_TYPES,
    subjectPrefixes: OWN_SUBJECTS,
    engines,
    commands,
    progress,
    directory: createDirectory({ queries: createTrackingQueries(engines.pool), log: engines.log, progress }),
  });
}

export type ErasureWorld = Awaited<ReturnType<typeof openErasureWorld>>;

/** On a new database, or on the given one. */
export async function openErasureWorld(databaseUrl?: string) {
  const folder = await mkdtemp(join(tmpdir(), 'erasure-'));
  const logged: string[] = [];
  const t = await startTestService({
    ...(databaseUrl !== undefined && { databaseUrl }),
    logger: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
  });
  const as = signIns(t);
  const { demo } = await businessIds(t.service);
  const [number, parcel] = [newNumber(), newParcel()];
  const epcis = (hour: number, marker: string) =>
    documentOf(
      scan([parcel.urn], 'shipping', hour, { 'ex:remark': marker }),
      scan([newParcel().urn], 'shipping', hour, { 'ex:remark': 'of another parcel' }),
    );
  /** Always the same push with the same key. */
  const pushOnce = () =>
    t.push(
      timelineOf(
        number,
        [
          event('picked_up', 1, { description: 'SECRET-description', 'x-remark': 'SECRET-extension' }),
          event('delivered', 9, {
            source: { type: 'driver', name: 'SECRET-driver' },
            location: { city: 'Berlin', latitude: 52.5123456, longitude: 13.4123456 },
            proof: { kind: 'photo', url: 'https://x.example/SECRET-proof' },
          }),
        ],
        { gs1_sscc: parcel.sscc },
      ),
      { headers: { 'idempotency-key': 'push-once' } },
    );

  const cause = causeOf(demo, t.demo.users.client_admin.id);
  // Before the order, which would open the tracking without a writer.
  const tracking = await openTracking(t.service, demo, number, [t.demo.provider.id], cause);
  await sendToOrder(
    t.service,
    901,
    demo,
    {
      do: 'create',
      order: {
        type: 'D',
        self_delivery: true,
        packages: [{ tracking_number: number }],
        time_windows: [],
        note: 'SECRET-note',
        delivery: { name: 'SECRET-recipient', street: 'SECRET-street 1', city: 'Berlin' },
      },
    },
    cause,
  );
  await sendToOrder(t.service, 901, demo, { do: 'hold', reason: 'SECRET-hold' }, cause);
  const pushed = await pushOnce();
  expect(pushed.json.accepted, pushed.text).to.equal(2);
  const captured = await t.api('/otep/epcis/capture', {
    key: t.demo.provider.key,
    body: epcis(8, 'SECRET-epcis'),
    headers: { 'content-type': 'application/json', 'x-event-position': pushed.headers.get('x-event-position')! },
  });
  expect(captured.status, captured.text).to.equal(202);
  const capture: string = captured.json.captureID;
  const { userId, orderId, approvedOrder } = await addCustomer(t, await as('client_admin'));
  await storeResponses(t, demo);
  for (const id of [901, orderId, approvedOrder]) {
    const headers = { 'x-event-position': await t.service.engines.log.head() };
    const printed = await t.api(`/orders/${id}/label`, { key: await as('client_admin'), headers });
    expect(printed.status, printed.text).to.equal(200);
  }

  /** Returns all responses of the API about the order, the parcel and the user, to any caller. */
  async function responseText(): Promise<string> {
    const position = { 'x-event-position': await t.service.engines.log.head() };
    const admin = { key: await as('client_admin'), headers: position };
    const carrier = { key: t.demo.provider.key, headers: position };
    const texts: string[] = [];
    const read = async (path: string, options: object) => {
      const { status, text } = await t.api(path, options);
      expect(status, path).to.be.oneOf([200, 404]);
      texts.push(text);
    };
    expect(FORMATS).to.have.length(14);
    for (const { name } of FORMATS)
      for (const caller of [admin, carrier, { headers: position }])
        await read(`/otep/trackings/${number}?format=${name}`, caller);
    for (const caller of [admin, carrier]) {
      await read(`/otep/trackings/${number}/events`, caller);
      await read(`/otep/trackings/${number}/events?after=-1`, caller);
    }
    await read('/otep/trackings/batch', { ...admin, body: { tracking_numbers: [number] } });
    await read(`/otep/epcis/events?MATCH_anyEPC=${encodeURIComponent(parcel.urn)}`, carrier);
    await read(`/otep/epcis/capture/${capture}`, carrier);
    await read('/users?per_page=200', admin);
    await read(`/users/${userId}`, admin);
    await read('/orders?per_page=200', admin);
    await read('/orders/search?query=SECRET-customer', admin);
    await read('/addresses/search?query=SECRET-gate', admin);
    await read('/broker-order-assignments?per_page=200', admin);
    for (const id of [orderId, approvedOrder]) await read(`/orders/${id}`, admin);
    const { json } = await t.api('/proposals?per_page=200', admin);
    texts.push(JSON.stringify(json));
    for (const { id } of json.proposals) await read(`/proposals/${id}`, admin);
    for (const path of [
      '/events?limit=500',
      '/events/export?',
      '/streams/order-901/events?limit=500',
      '/state?stream=order-901',
      `/state?stream=tracking-${tracking}`,
      `/state?stream=account-${userId}`,
    ])
      await read(`/audit${path}&include_personal=true`, admin);
    return texts.join('\n');
  }

  return {
    t,
    as,
    demo,
    number,
    tracking,
    capture,
    userId,
    orderId,
    approvedOrder,
    folder,
    logged,
    epcis,
    pushOnce,
    responseText,
    erase: async (subject: string, user: UserName = 'client_admin') =>
      t.api(`/privacy/subjects/${encodeURIComponent(subject)}/erase`, {
        method: 'POST',
        key: await as(user),
        body: {},
      }),
    async stop() {
      await t.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Creates a customer with an order and all possible data about it: a proposal to change it, a proposal that created
 * another order, and a proposal about another person.
 */
async function addCustomer(t: TestService, admin: string) {
  const made = await t.api('/users', {
    key: admin,
    body: { email: EMAIL, name: 'SECRET-user', phone: '+49 30 000', password: PASSWORD, role: 'customer' },
    headers: { 'idempotency-key': 'user-once' },
  });
  const userId: number = made.json.user.id;
  const login = await t.api('/user/login', { body: { email: EMAIL, password: PASSWORD } });
  expect(login.status).to.equal(200);
  const own = { key: login.json.access_token as string };
  for (const name of ['SECRET-entry', 'SECRET-removed']) {
    const saved = await t.api('/address-book', { ...own, body: { kind: 'recipient', address: { ...STOP, name } } });
    expect(saved.status, saved.text).to.equal(201);
    if (name === 'SECRET-removed')
      await t.api(`/address-book/${saved.json.address_book_entry.id}`, { ...own, method: 'DELETE', body: {} });
  }
  const placed = await t.api('/client/orderCreate', {
    key: admin,
    body: {
      ...ORDER,
      customer_id: userId,
      delivery: { ...STOP, name: 'SECRET-customer', phone: '+1 416 555 0199', street: 'SECRET-gate 1' },
      delivery_instruction: 'SECRET-instruction',
    },
  });
  expect(placed.status, placed.text).to.equal(201);
  const orderId: number = placed.json.order_id;
  expect(
    (
      await t.api('/broker-order-assignments', {
        key: admin,
        body: { order_ids: [orderId], broker_id: t.demo.users.broker.id, note: 'SECRET-assigned' },
      })
    ).json.assigned,
  ).to.equal(1);
  const propose = async (tool: string, args: object, reason: string) => {
    const { structuredContent } = await callTool(
      t,
      'propose_write',
      { tool, arguments: args, reason },
      { token: admin },
    );
    expect(structuredContent['proposal'], JSON.stringify(structuredContent)).to.be.an('object');
    return (structuredContent['proposal'] as { id: string }).id;
  };
  await propose('update_order_note', { order_id: orderId, note: 'SECRET-change' }, 'SECRET-proposed');
  const making = await propose(
    'create_order',
    { ...ORDER, customer_id: userId, delivery: { ...STOP, name: 'SECRET-approved' } },
    'because',
  );
  const approved = await t.api(`/proposals/${making}/approve`, { key: admin, body: { confirm: true } });
  expect(approved.status, approved.text).to.equal(200);
  const approvedOrder = Number(
    (await t.service.engines.pool.query('select max(id) as id from orders.orders where customer_id = $1', [userId]))
      .rows[0].id,
  );
  await propose(
    'hold_order',
    {
      order_id: (await t.api('/client/orderCreate', { key: admin, body: ORDER })).json.order_id,
      reason: 'of another order',
    },
    'another',
  );
  return { userId, orderId, approvedOrder };
}

/**
 * Stores responses that contain data of the person, for retries and from a webhook endpoint of the business; and
 * responses of another business.
 */
async function storeResponses(
  {
    service: {
      engines: { pool, vault, webhookVault },
    },
    demo: { users },
  }: TestService,
  demo: number,
): Promise<void> {
  await pool.query(`update access.idempotency set answer = $2 where key = $1`, [
    'user-once',
    vault.seal(
      Buffer.from(JSON.stringify({ result: { name: 'SECRET-user' } })),
      `user:${users.client_admin.id} user-once`,
    ),
  ]);
  for (const [business, answer] of [
    [demo, 'SECRET-recipient'],
    [demo + 1, 'thanks'],
  ] as const) {
    const id = randomUUID();
    await pool.query(
      `insert into webhooks.deliveries (id, business, kind, target, recorded_at, state, most) values ($1, $2, 'orders', '', now(), 'delivered', 1)`,
      [id, business],
    );
    await pool.query(
      `insert into webhooks.attempts (delivery, attempt, at, ms, status, target, answer) values ($1, 1, now(), 5, 200, '', $2)`,
      [id, webhookVault.seal(Buffer.from(answer), `webhook answer ${id} 1`)],
    );
  }
  await pool.query(
    `insert into access.idempotency (principal, key, fingerprint, command_id, answer) values ($1, 'others', '', gen_random_uuid(), $2)`,
    [
      `user:${users.other_client_admin.id}`,
      vault.seal(Buffer.from('{}'), `user:${users.other_client_admin.id} others`),
    ],
  );
}

/**
 * Seventeen tasks of agents. Each is a table of calls, where a call may use the results of the calls before it, and a
 * check that the task ended well. A token is four characters of the JSON of a result. `before`: calls and tokens of the
 * same task before its tools returned compact results (docs/figures.md).
 */
import { expect } from 'chai';
import { callTool, tokenOf } from '../../support/clients/mcp.js';
import { openDay, type Day } from '../../support/worlds/day.js';
import { dayIn } from '../../support/worlds/days.js';
import { STOP } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const MAX_CALLS = 3;
const MAX_TOKENS = 10_000;
const UNPLANNED = 293;
const ON_ROUTE = 22;
const FAILED = 8;

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Result = any;
type Call = (results: Result[]) => readonly [tool: string, args: object];

interface Task {
  readonly name: string;
  readonly before: { readonly calls: number; readonly tokens: number; readonly end?: string };
  readonly calls: readonly Call[];
  readonly check: (results: Result[]) => void | Promise<void>;
}

describe('tasks of agents (agents AG3)', () => {
  let service: TestService;
  let token: string;
  let day: Day;
  let route: number;
  let tomorrow: number[];
  const today = dayIn(0);

  const call = async (name: string, args: object): Promise<Result> =>
    (await callTool(service, name, args, { token })).structuredContent;
  const bulk = (orders: readonly object[]) => call('bulk_create_orders', { orders, confirm: true });
  const orderOf = (order_ref: string, more: object = {}) => ({
    type: 'D',
    order_ref,
    schedule_date: today,
    delivery: { ...STOP, name: 'Grace Hopper', city: 'Berlin', country: 'DE' },
    packages: [{ weight_kg: 1 }],
    ...more,
  });

  /** A route of today, on which eight orders failed once; two of them were delivered later. */
  async function openRoute(): Promise<number> {
    const { results } = await bulk(Array.from({ length: ON_ROUTE }, (_, n) => orderOf(`AG-${n}`)));
    const order_ids = results.map(({ order_id }: { order_id: number }) => order_id);
    const made = await day.as('client_admin', '/routes', {
      name: 'Today',
      schedule_date: today,
      driver_id: day.drivers[0],
    });
    const { id } = made.json.route;
    await day.as('client_admin', `/routes/${id}/orders`, { order_ids });
    const scan = async (n: number, status_code: string, more: object = {}) => {
      const [tracking_number] = results[n].tracking_numbers;
      const body = { tracking_number, status_code, occurred_at: new Date().toISOString(), ...more };
      const { json, text } = await day.as('driver', '/scans', body);
      expect(json.scan?.outcome, text).to.equal('applied');
    };
    for (let n = 0; n < FAILED; n += 1)
      await scan(n, 'delivery_failed', { reason_code: 'recipient_absent', note: 'Nobody answered the bell.' });
    for (const n of [1, 2]) await scan(n, 'delivered');
    return id;
  }

  /** Stock, and a dataset with a record. */
  async function openStores(): Promise<void> {
    const good = async (path: string, body: object) => {
      const { status, json, text } = await day.as('client_admin', path, body);
      expect(status, text).to.be.below(300);
      return json;
    };
    const { warehouses } = await call('get_warehouses', {});
    const [{ id }] = warehouses;
    await good(`/wms/warehouses/${id}/locations/batch`, { locations: [{ code: 'A-1' }] });
    await good('/wms/stock/receive', {
      warehouse_id: id,
      sku: 'BOLT-8',
      location: 'A-1',
      quantity: '12',
      unit: 'kg',
      name: 'Bolts',
    });
    const columns = [
      { code: 'gate', type: 'text', required: true },
      { code: 'postcode', type: 'text' },
    ];
    const { dataset } = await good('/datasets', { code: 'gates', name: 'Gates', key_column: 'gate', columns });
    await good(`/datasets/${dataset.id}/records/batch`, { records: [{ values: { gate: 'G-7', postcode: '01067' } }] });
  }

  before(async () => {
    service = await startTestService({ env: { RATE_LIMIT_READ: '100000', RATE_LIMIT_WRITE: '100000' } });
    token = await tokenOf(service, 'client_admin');
    day = await openDay(service, { drivers: 1 });
    const { total } = await call('get_orders', unplanned);
    for (let made = total; made < UNPLANNED; made += 100)
      await bulk(Array.from({ length: Math.min(100, UNPLANNED - made) }, (_, n) => orderOf(`WEB-${made + n}`)));
    await bulk(['MOVE-1', 'CANCEL-1', 'REROUTE-1'].map((ref) => orderOf(ref, { schedule_date: day.date })));
    route = await openRoute();
    await openStores();
    tomorrow = await day.orders(5, (n) => (n === 3 ? { packages: [{ weight_kg: 90_000 }] } : {}));
  });
  after(() => service.stop());

  const unplanned = {
    status: 'NEW_ORDER',
    schedule_date_from: today,
    schedule_date_to: today,
    fields: 'id,order_ref,delivery.city',
    per_page: 200,
  };
  const PLAN = { budget: { iterations: 100, seed: 1 } };

  const TASKS: readonly Task[] = [
    {
      name: 'move a time window by reference',
      before: { calls: 1, tokens: 25 },
      calls: [
        () => [
          'update_time_window_by_refs',
          { order_refs: ['MOVE-1'], time_windows: [{ stop: 'delivery', from: '09:00', to: '12:00' }] },
        ],
      ],
      check: ([done]) => expect(done).to.include({ result: true }) as never,
    },
    {
      name: 'reroute an order',
      before: { calls: 2, tokens: 226 },
      calls: [
        () => ['find_order', { query: 'REROUTE-1', limit: 1 }],
        ([found]) => [
          'reroute_to_address',
          { order_id: found.orders[0].id, delivery: { ...STOP, street: 'Neue Gasse 2' }, confirm: true },
        ],
      ],
      check: ([found, done]) => expect(done.replaces_order_id).to.equal(found.orders[0].id) as never,
    },
    {
      name: "a driver's day",
      before: { calls: 2, tokens: 2_849 },
      calls: [
        () => ['get_drivers', { fields: 'id,name' }],
        ([{ drivers }]) => [
          'get_driver_routes_today',
          { driver_id: drivers.find(({ id }: { id: number }) => id === day.drivers[0]).id },
        ],
      ],
      check: ([, { routes }]) =>
        expect(routes.flatMap(({ orders }: { orders: object[] }) => orders).length).to.be.at.least(ON_ROUTE) as never,
    },
    {
      name: 'create an order',
      before: { calls: 1, tokens: 28 },
      calls: [() => ['create_order', orderOf('NEW-1', { schedule_date: day.date })]],
      check: ([made]) => expect(made.order_id).to.be.a('number') as never,
    },
    {
      name: 'stock',
      before: { calls: 1, tokens: 330 },
      calls: [() => ['get_inventory', {}]],
      check: ([{ inventory }]) => expect(inventory).to.be.an('array').that.is.not.empty as never,
    },
    {
      name: 'find the parcels of a name',
      before: { calls: 1, tokens: 2_025 },
      calls: [() => ['find_order', { query: 'Grace Hopper' }]],
      check: ([{ orders }]) => expect(orders[0].packages[0].tracking_number).to.be.a('string') as never,
    },
    {
      name: 'status by reference',
      before: { calls: 1, tokens: 203 },
      calls: [() => ['get_orders', { order_ref: 'AG-1' }]],
      check: ([{ orders }]) => expect(orders[0]).to.include({ order_ref: 'AG-1', status: 'DELIVERED' }) as never,
    },
    {
      name: 'search in a dataset',
      before: { calls: 2, tokens: 1_565 },
      calls: [
        () => ['list_datasets', {}],
        ([{ datasets }]) => ['search_dataset_records', { dataset_id: datasets[0].id, query: '01067' }],
      ],
      check: ([, { records }]) => expect(records[0].values).to.include({ gate: 'G-7' }) as never,
    },
    {
      name: 'insert an order into a route',
      before: { calls: 2, tokens: 235, end: 'without the plan' },
      calls: [
        () => ['build_route', { schedule_date: day.date, order_ids: tomorrow.slice(4), ...PLAN, confirm: true }],
        ([{ route_plan: plan }]) => [
          'build_route',
          {
            mode: 'insert',
            route_ids: [plan.routes[0].route_id],
            order_ids: tomorrow.slice(0, 1),
            ...PLAN,
            confirm: true,
          },
        ],
      ],
      check: ([first, { route_plan: plan }]) => {
        expect(plan).to.include({ status: 'committed' });
        expect(plan.routes[0].route_id).to.equal(first.route_plan.routes[0].route_id);
        expect(plan.commit).to.include({ placed: 1 });
      },
    },
    {
      name: 'digest of a day',
      before: { calls: 1, tokens: 99 },
      calls: [() => ['daily_digest', {}]],
      check: ([{ digest }]) => expect(digest.counted_by).to.equal('schedule_date') as never,
    },
    {
      name: 'cancel an order',
      before: { calls: 2, tokens: 226 },
      calls: [
        () => ['get_orders', { order_ref: 'CANCEL-1', fields: 'id' }],
        ([{ orders }]) => ['cancel_order', { order_id: orders[0].id, confirm: true }],
      ],
      check: ([, { order }]) => expect(order.status).to.equal('CANCELLED') as never,
    },
    {
      name: 'what became of my proposal',
      before: { calls: 3, tokens: 393 },
      calls: [
        () => ['get_orders', { order_ref: 'MOVE-1', fields: 'id' }],
        ([{ orders }]) => ['propose_write', { tool: 'cancel_order', arguments: { order_id: orders[0].id } }],
        ([, { proposal }]) => ['list_pending_approvals', { proposal_id: proposal.id, status: 'all' }],
      ],
      check: ([, , { proposals }]) => expect(proposals[0]).to.include({ status: 'pending' }) as never,
    },
    {
      name: 'why was AG-0 not delivered; put it on hold',
      before: { calls: 3, tokens: 910, end: 'refused' },
      calls: [
        () => ['list_exceptions', {}],
        ([{ orders }]) => {
          const { id, route_id } = orders.find(({ order_ref }: { order_ref: string }) => order_ref === 'AG-0');
          return ['remove_orders_from_route', { route_id, order_ids: [id], confirm: true }];
        },
        ([{ orders }]) => [
          'hold_order',
          { order_id: orders.find(({ order_ref }: { order_ref: string }) => order_ref === 'AG-0').id, confirm: true },
        ],
      ],
      check: ([{ orders }, , { order }]) => {
        const failed = orders.find(({ order_ref }: { order_ref: string }) => order_ref === 'AG-0');
        expect(failed.exceptions[0]).to.include({ reason_code: 'recipient_absent', note: 'Nobody answered the bell.' });
        expect(order.status).to.equal('HOLD');
      },
    },
    {
      name: 'failed deliveries of the week',
      before: { calls: 1, tokens: 825, end: 'wrong' },
      calls: [() => ['list_exceptions', { occurred_from: dayIn(-6), occurred_to: today, status: 'DELIVERY_FAILED' }]],
      check: ([{ total, orders }]) => {
        expect(total).to.equal(FAILED);
        for (const { delivery, exceptions } of orders) {
          expect(delivery.name).to.equal('Grace Hopper');
          expect(exceptions[0]).to.have.all.keys('status', 'occurred_at', 'reason_code', 'note');
        }
      },
    },
    {
      name: 'plan four orders for tomorrow',
      before: { calls: 5, tokens: 853, end: 'without the plan' },
      calls: [
        () => [
          'build_route',
          { schedule_date: day.date, order_ids: tomorrow.slice(0, 4), ...PLAN, auto_commit: false },
        ],
        ([{ route_plan: plan }]) => ['explain_route_plan', { route_plan_id: plan.id }],
        ([{ route_plan: plan }]) => ['commit_route_plan', { route_plan_id: plan.id, confirm: true }],
      ],
      check: ([, { unassigned }, { route_plan: plan }]) => {
        expect(plan).to.include({ status: 'committed' });
        expect(unassigned.map(({ order_id }: { order_id: number }) => order_id)).to.include(tomorrow[3]);
        for (const { reasons } of unassigned) expect(reasons[0].message).to.be.a('string');
      },
    },
    {
      name: 'unplanned orders of today',
      before: { calls: 2, tokens: 49_800 },
      calls: [() => ['get_orders', unplanned], ([{ next }]) => ['get_orders', { ...unplanned, ...next }]],
      check: ([first, second]) => {
        expect(first.total).to.be.at.least(UNPLANNED);
        expect(second).not.to.have.property('next');
        expect(first.orders.length + second.orders.length).to.equal(first.total);
      },
    },
    {
      name: 'labels of a route',
      before: { calls: 21, tokens: 72_005 },
      calls: [() => ['print_route_labels', { route_id: route }]],
      async check([{ url, order_ids }]) {
        expect(order_ids.length).to.be.within(ON_ROUTE - 1, ON_ROUTE);
        const pdf = await fetch(url as string, { headers: { authorization: `Bearer ${token}` } });
        expect(
          Buffer.from(await pdf.arrayBuffer())
            .subarray(0, 5)
            .toString(),
        ).to.equal('%PDF-');
      },
    },
  ];

  it('are seventeen', () => expect(TASKS).to.have.length(17));

  for (const { name, before: earlier, calls, check } of TASKS)
    it(`${name}: at most ${MAX_CALLS} calls and ${MAX_TOKENS} tokens`, async () => {
      const results: Result[] = [];
      for (const next of calls) {
        const [tool, args] = next(results);
        const { structuredContent: result, isError } = await callTool(service, tool, args, { token });
        expect(isError, `${tool} ${JSON.stringify(args)}: ${JSON.stringify(result)}`).not.to.equal(true);
        results.push(result);
      }
      const tokens = Math.round(results.reduce((sum: number, one) => sum + JSON.stringify(one).length, 0) / 4);
      const { end } = earlier;
      console.log(
        `      ${results.length} calls, ${tokens} tokens; before: ${earlier.calls} calls, ${earlier.tokens} tokens${end === undefined ? '' : `, ${end}`}`,
      );
      expect(results.length).to.be.at.most(MAX_CALLS);
      expect(tokens).to.be.at.most(MAX_TOKENS);
      await check(results);
    });
});

/** Tools beyond the specification: plans are read, explained and decided; routes give up orders and print labels. */
import { expect } from 'chai';
import { callTool, listDetails, rpc, tokenOf } from '../../support/clients/mcp.js';
import { openDay, type Day } from '../../support/worlds/day.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const BEYOND = [
  'get_route_plan',
  'explain_route_plan',
  'commit_route_plan',
  'discard_route_plan',
  'remove_orders_from_route',
  'print_route_labels',
];

describe('tools for plans and routes', () => {
  let service: TestService;
  let token: string;
  let day: Day;

  before(async () => {
    service = await startTestService({ env: { RATE_LIMIT_READ: '100000', RATE_LIMIT_WRITE: '100000' } });
    token = await tokenOf(service, 'client_admin');
    day = await openDay(service, { drivers: 1 });
  });
  after(() => service.stop());

  const call = async (name: string, args: object = {}, headers: Record<string, string> = {}) =>
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    (await callTool(service, name, args, { token, headers })).structuredContent as any;
  const good = async (name: string, args: object = {}, headers: Record<string, string> = {}) => {
    const answer = await call(name, args, headers);
    expect(answer.error, `${name} ${JSON.stringify(answer.error)}`).to.equal(undefined);
    return answer;
  };
  const head = () => service.service.engines.log.head();
  const build = (args: object, headers: Record<string, string> = {}) =>
    call(
      'build_route',
      { schedule_date: day.date, driver_ids: day.drivers, budget: { iterations: 100, seed: 1 }, ...args },
      headers,
    );
  /** A solved plan that is not committed, with its orders. The last order has no place in a vehicle. */
  const proposed = async (count = 2) => {
    const order_ids = await day.orders(count, (n) => (n === count - 1 ? { packages: [{ weight_kg: 90_000 }] } : {}));
    const { route_plan: plan } = await build({ order_ids, auto_commit: false });
    return { order_ids, plan };
  };
  /** A committed route. */
  const committed = async (count = 2) => {
    const order_ids = await day.orders(count);
    const { route_plan: plan } = await build({ order_ids, confirm: true });
    expect(plan.status, JSON.stringify(plan)).to.equal('committed');
    return { order_ids, route_id: plan.routes[0].route_id as number };
  };

  it('are marked in _meta, and no specified tool is', async () => {
    const tools = await listDetails(service, { token });
    const marked = tools.filter(({ _meta }) => _meta['open-transport/beyond_specification'] === true);
    expect(marked.map(({ name }) => name)).to.have.members(BEYOND);
  });

  describe('agents H3', () => {
    it('build_route returns the plan with the reason of each unassigned order, without wait_s', async () => {
      const { plan, order_ids } = await proposed();
      expect(plan).to.include({ status: 'solved' });
      expect(plan.summary).to.include({ order_count: 2, assigned_count: 1, unassigned_count: 1 });
      expect(plan.routes[0].stops.flatMap(({ order_id }: { order_id?: number }) => order_id ?? [])).to.deep.equal([
        order_ids[0],
      ]);
      expect(plan.unassigned).to.deep.equal([{ order_id: order_ids[1], reasons: [{ code: 'EXCEEDS_CAPACITY' }] }]);
    });

    it('build_route with auto_commit=false needs neither confirm nor approval, and changes no route', async () => {
      const { total } = await good('get_routes');
      const order_ids = await day.orders(1);
      const { route_plan: plan } = await build({ order_ids, auto_commit: false }, { 'x-mcp-require-approval': '1' });
      expect(plan).to.include({ status: 'solved' });
      expect((await good('get_routes')).total).to.equal(total);
      for (const args of [{}, { auto_commit: true }])
        expect((await build({ order_ids, ...args })).error.code).to.equal('CONFIRM_REQUIRED');
      const queued = await build({ order_ids, confirm: true }, { 'x-mcp-require-approval': '1' });
      expect(queued).to.include({ queued: true });
    });

    it('build_route with dry_run plans nothing and needs no header', async () => {
      const order_ids = await day.orders(1);
      const position = await head();
      const { would_answer: forecast } = await build({ order_ids, dry_run: true });
      expect(forecast.would_plan).to.include({ order_count: 1, excluded_count: 0 });
      expect(await head()).to.equal(position);
    });

    it('get_route_plan reads a plan again, and selects members', async () => {
      const { plan } = await proposed();
      expect((await good('get_route_plan', { route_plan_id: plan.id })).route_plan).to.deep.equal(plan);
      const { route_plan } = await good('get_route_plan', { route_plan_id: plan.id, fields: 'routes.stops.arrive_at' });
      expect(Object.keys(route_plan.routes[0].stops[0])).to.deep.equal(['arrive_at']);
      expect((await call('get_route_plan', { route_plan_id: 2_000_000 })).error.code).to.equal('PLAN_NOT_FOUND');
    });

    it('explain_route_plan gives the reasons of all unassigned orders, page by page, and of one on each route', async () => {
      const order_ids = await day.orders(4, (n) => (n > 0 ? { packages: [{ weight_kg: 90_000 }] } : {}));
      const { route_plan: plan } = await build({ order_ids, auto_commit: false });
      const seen: number[] = [];
      let next: object | undefined = { per_page: 2 };
      while (next) {
        const page: {
          unassigned: { order_id: number; reasons: { code: string; message: string }[] }[];
          next?: object;
        } = await good('explain_route_plan', { route_plan_id: plan.id, ...next });
        for (const { order_id, reasons } of page.unassigned) {
          expect(reasons[0]!.message).to.be.a('string').and.not.equal(reasons[0]!.code);
          seen.push(order_id);
        }
        ({ next } = page);
      }
      expect(seen).to.have.members(order_ids.slice(1)).and.have.length(3);
      const assigned = await good('explain_route_plan', { route_plan_id: plan.id, order_id: order_ids[0] });
      expect(assigned).to.include({ order_id: order_ids[0], driver_id: day.drivers[0], total: 0 });
      expect(assigned.routes[0]).to.have.property('delta_cost');
      const held = (await day.orders(1))[0]!;
      await good('hold_order', { order_id: held, confirm: true });
      const { route_plan: partly } = await build({ order_ids: [...order_ids.slice(0, 1), held], auto_commit: false });
      const excluded = await good('explain_route_plan', { route_plan_id: partly.id, order_id: held });
      expect(excluded.unassigned[0].reasons[0].code).to.equal('ORDER_HELD');
      expect((await call('explain_route_plan', { route_plan_id: plan.id, order_id: 2_000_000 })).error.code).to.equal(
        'ORDER_NOT_FOUND',
      );
    });

    it('commit_route_plan puts the orders on routes once, and needs confirm', async () => {
      const { plan, order_ids } = await proposed();
      const refused = await call('commit_route_plan', { route_plan_id: plan.id });
      expect(refused.error.code).to.equal('CONFIRM_REQUIRED');
      expect(refused.error.message).to.include('commit_route_plan');
      const { route_plan } = await good('commit_route_plan', { route_plan_id: plan.id, confirm: true });
      expect(route_plan).to.include({ status: 'committed' });
      expect(route_plan.commit).to.include({ placed: 1, skipped: 0 });
      const { order } = await good('get_order_detail', { order_id: order_ids[0] });
      expect(order.route_id).to.equal(route_plan.routes[0].route_id);
      const position = await head();
      await good('commit_route_plan', { route_plan_id: plan.id, confirm: true });
      expect(await head()).to.equal(position);
    });

    it('discard_route_plan ends a plan, which can then not be committed', async () => {
      const { plan } = await proposed();
      const { route_plan } = await good('discard_route_plan', { route_plan_id: plan.id });
      expect(route_plan).to.deep.equal({ id: plan.id, status: 'discarded' });
      expect((await call('commit_route_plan', { route_plan_id: plan.id, confirm: true })).error.code).to.equal(
        'PLAN_NOT_READY',
      );
    });
  });

  describe('remove_orders_from_route', () => {
    it('needs confirm, removes orders, and reports those that stay', async () => {
      const { order_ids, route_id } = await committed();
      const [order_id] = order_ids;
      expect((await call('remove_orders_from_route', { route_id, order_ids })).error.code).to.equal('CONFIRM_REQUIRED');
      const result = await good('remove_orders_from_route', {
        route_id,
        order_ids: [order_id, 2_000_000],
        confirm: true,
      });
      expect(result).to.include({ removed: 1, skipped: 1 });
      expect(result.errors[0]).to.include({ order_id: 2_000_000, code: 'ORDER_NOT_FOUND' });
      expect(result.route).to.include({ id: route_id, order_count: 1 });
    });
  });

  describe('agents M2', () => {
    it('the refusal of hold_order names the tool and the route with which the order can be held', async () => {
      const { order_ids, route_id } = await committed(1);
      const hold = () => call('hold_order', { order_id: order_ids[0], confirm: true });
      const { error } = await hold();
      expect([error.code, error.route_id]).to.deep.equal(['ORDER_ON_ROUTE', route_id]);
      expect(error.message).to.include('(remove_orders_from_route)');
      await good('remove_orders_from_route', { route_id: error.route_id, order_ids, confirm: true });
      expect((await hold()).order.status).to.equal('HOLD');
    });

    it('REST names its own operation, with the route', async () => {
      const { order_ids, route_id } = await committed(1);
      const { status, json } = await day.as('client_admin', `/orders/${order_ids[0]}/hold`, {});
      expect([status, json.code, json.route_id]).to.deep.equal([409, 'ORDER_ON_ROUTE', route_id]);
      expect(json.message).to.include('(routeRemoveOrders)');
    });

    it('reroute_to_address after the pick-up names a possible change, and that works', async () => {
      const { order_ids, route_id } = await committed(1);
      const [order_id] = order_ids;
      const { order } = await good('get_order_detail', { order_id });
      const { tracking_number } = order.packages[0];
      const scan = { tracking_number, status_code: 'picked_up', occurred_at: new Date().toISOString() };
      const scanned = await day.as('driver', '/scans', scan);
      expect(scanned.status, scanned.text).to.be.below(300);
      await good('remove_orders_from_route', { route_id, order_ids, confirm: true });
      const { error } = await call('reroute_to_address', {
        order_id,
        delivery: { name: 'Ada', street: 'Weg 1', city: 'Berlin', country: 'DE' },
        confirm: true,
      });
      expect(error.code).to.equal('ALREADY_PICKED_UP');
      expect(error.message).to.include('update_time_window_by_refs').and.include('cancel_order');
      await good('cancel_order', { order_id, confirm: true });
    });
  });

  describe('print_route_labels', () => {
    it('returns a link that downloads the PDF, and a resource link for clients that know them', async () => {
      const { order_ids, route_id } = await committed();
      const labels = async (version?: string) => {
        const headers: Record<string, string> = version === undefined ? {} : { 'mcp-protocol-version': version };
        const { body } = await rpc(
          service,
          'tools/call',
          { name: 'print_route_labels', arguments: { route_id } },
          { token, headers },
        );
        return body.result;
      };
      const { structuredContent: shown, content } = await labels('2025-11-25');
      expect(shown.order_ids).to.have.members(order_ids);
      expect(shown).to.include({ route_id, total: 2, page: 1, media_type: 'application/pdf' });
      expect(shown).not.to.have.property('pdf_base64');
      expect(content[1]).to.deep.equal({
        type: 'resource_link',
        uri: shown.url,
        name: 'labels.pdf',
        mimeType: 'application/pdf',
      });
      for (const version of ['2025-03-26', undefined]) expect((await labels(version)).content).to.have.length(1);
      const pdf = await fetch(shown.url as string, { headers: { authorization: `Bearer ${token}` } });
      expect(pdf.headers.get('content-type')).to.include('application/pdf');
      expect(
        Buffer.from(await pdf.arrayBuffer())
          .subarray(0, 5)
          .toString(),
      ).to.equal('%PDF-');
      expect((await fetch(shown.url as string)).status).to.equal(401);
    });

    it('returns the document inside only if the call asks for it', async () => {
      const { route_id } = await committed(1);
      const { pdf_base64, url } = await good('print_route_labels', { route_id, format: 'base64' });
      expect(
        Buffer.from(pdf_base64 as string, 'base64')
          .subarray(0, 5)
          .toString(),
      ).to.equal('%PDF-');
      expect(url).to.equal(undefined);
      const { content } = await callTool(service, 'print_route_labels', { route_id, format: 'pdf' }, { token });
      expect(content.map(({ type }) => type)).to.deep.equal(['text', 'resource']);
    });
  });
});

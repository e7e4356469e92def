/** Findings about agents of low severity, one test each. */
import { expect } from 'chai';
import { callTool, listDetails, listTools, tokenOf } from '../../support/clients/mcp.js';
import { ORDER, STOP } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const SERVERS = ['/mcp', '/mcp/developer'] as const;

describe('agents low', () => {
  let service: TestService;
  let token: string;
  before(async () => {
    service = await startTestService();
    token = await tokenOf(service, 'client_admin');
  });
  after(() => service.stop());

  const call = async (name: string, args: object, path = '/mcp') =>
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    (await callTool(service, name, args, { token, path })).structuredContent as any;

  it('agents low: a wrong date gets the format as the expected value, in every tool', async () => {
    const wrong: string[] = [];
    for (const { name, inputSchema } of await listTools(service, { token }))
      for (const [member, { format }] of Object.entries(inputSchema.properties)) {
        if (format !== 'date' || inputSchema.required?.length) continue;
        const { error } = await call(name, {
          [member]: '27.11.2026',
          ...(name === 'build_route' && { confirm: true }),
        });
        const message = error?.errors?.find(({ field }: { field: string }) => field === member)?.message;
        if (!String(message).endsWith('Expected: a day of the calendar, `YYYY-MM-DD`.'))
          wrong.push(`${name} ${member}: ${message}`);
      }
    expect(wrong).to.deep.equal([]);
  });

  it('agents low: the name of a person is an example only of a search for persons', async () => {
    for (const path of SERVERS)
      for (const { name, inputSchema } of await listTools(service, { token, path })) {
        const { query } = inputSchema.properties;
        if (query && name !== 'find_order') expect(query['examples'] ?? [], name).not.to.include('Lovelace');
      }
  });

  it('agents low: no description of a tool mentions a format that the tool does not take', async () => {
    for (const path of SERVERS)
      for (const tool of await listTools(service, { token, path }))
        if (!('format' in tool.inputSchema.properties))
          expect(JSON.stringify(tool), tool.name).not.to.match(/sensorthings/i);
  });

  it('agents low: hold_order and release_order are not destructive, and name each other', async () => {
    const tools = new Map((await listTools(service, { token })).map((tool) => [tool.name, tool]));
    for (const [name, other] of [
      ['hold_order', 'release_order'],
      ['release_order', 'hold_order'],
    ] as const) {
      expect(tools.get(name)!.annotations['destructiveHint'], name).to.equal(false);
      expect(tools.get(name)!.description).to.include(other);
      expect(tools.get(name)!.description).not.to.include('cannot');
    }
  });

  it('agents low: get_order_audit_timeline is short, and get_operation_events has all details', async () => {
    const { order_id } = await call('create_order', ORDER);
    await call('update_order_note', { order_id, note: 'Called twice.' });
    const timeline = await call('get_order_audit_timeline', { order_id }, '/mcp/developer');
    const events = await call('get_operation_events', { order_id }, '/mcp/developer');
    const types = ({ events: all }: { events: { type: string }[] }) => all.map(({ type }) => type);
    expect(types(timeline)).to.deep.equal(types(events)).and.deep.equal(['OrderCreated', 'OrderNoteChanged']);
    expect(events.events[1].details).to.include({ note: 'Called twice.' });
    expect(timeline.events[1]).not.to.have.property('details');
    expect(JSON.stringify(timeline).length).to.be.below(JSON.stringify(events).length / 2);
    const tools = await listTools(service, { token, path: '/mcp/developer' });
    expect(tools.find(({ name }) => name === 'get_order_audit_timeline')!.description).to.include(
      'get_operation_events',
    );
  });

  it('agents low: reroute_to_address corrects the phone number of a recipient before the pick-up', async () => {
    const { order_id } = await call('create_order', ORDER);
    const delivery = { ...STOP, phone: '+49 30 1234567' };
    const { order } = await call('reroute_to_address', { order_id, delivery, confirm: true });
    expect(order.delivery).to.include({ phone: '+49 30 1234567', street: STOP.street });
    const { description } = (await listTools(service, { token })).find(({ name }) => name === 'reroute_to_address')!;
    expect(description).to.include('phone');
  });

  it('agents low: no schema has a list of types, neither of arguments nor of results', async () => {
    for (const path of SERVERS)
      for (const { name, inputSchema, outputSchema } of await listDetails(service, { token, path }))
        expect(JSON.stringify([inputSchema, outputSchema]), name).not.to.match(/"type":\[/);
  });

  it('agents low: the labels of a route cost one call without base64', async () => {
    const { order_id } = await call('create_order', ORDER);
    const made = await service.api('/routes', {
      key: token,
      body: { name: 'Labels', schedule_date: ORDER.schedule_date },
    });
    const { id } = made.json.route;
    await service.api(`/routes/${id}/orders`, { key: token, body: { order_ids: [order_id] } });
    const labels = await call('print_route_labels', { route_id: id });
    expect(labels.order_ids).to.deep.equal([order_id]);
    expect(JSON.stringify(labels).length).to.be.below(400);
  });
});

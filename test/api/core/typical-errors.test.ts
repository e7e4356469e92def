import { expect } from 'chai';
import { openOrderFixture, ORDER, STOP, type OrderFixture } from '../../support/worlds/orders.js';
import { graphql } from '../../support/clients/graphql.js';
import type { CallOptions } from '../../support/clients/http.js';
import { callTool, rpc } from '../../support/clients/mcp.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns, type UserName } from '../../support/worlds/users.js';

type Call = readonly [path: string, options?: CallOptions];

describe('typical mistakes', () => {
  let service: TestService;
  let fixture: OrderFixture;

  before(async () => {
    service = await startTestService();
    fixture = openOrderFixture(service);
  });
  after(() => service.stop());

  /** What was asked for, by whom (the client admin unless said), and what the explanation says. */
  const MISTAKES: readonly (readonly [what: string, call: Call, says: RegExp, by?: UserName])[] = [
    ['an unknown member', ['/orders', { body: { typ: 'D' } }], /^type: .+ typ: /],
    ['a missing member', ['/orders', { body: { type: 'D' } }], /^delivery: This field is required/],
    [
      'a member inside of another one',
      ['/orders', { body: { type: 'D', delivery: { ...STOP, country: 'Germany' } } }],
      /^delivery\/country: /,
    ],
    [
      'a text for a number',
      ['/orders', { body: { type: 'D', delivery: STOP, packages: [{ weight_kg: '2.5' }] } }],
      /^packages\/0\/weight_kg: Must be of type number, not string\./,
    ],
    ['a value that is none of an enum', ['/orders?status=OPEN'], /^status: .*NEW_ORDER/],
    ['a day of the wrong form', ['/orders?schedule_date_from=27.11.2026'], /^schedule_date_from: .*YYYY-MM-DD/],
    ['too many of a page', ['/orders?per_page=500'], /^per_page: .*200/],
    ['a parameter that does not exist', ['/orders?state=HOLD'], /state/],
    [
      'the wrong method',
      ['/orders/1', { method: 'DELETE' }],
      /^(?=.*GET \(order\))(?=.*PATCH \(orderUpdate\))(?=.*POST \/cancel \(orderCancel\))/,
    ],
    [
      'a method of another address',
      ['/orders', { method: 'PUT', body: {} }],
      /^(?=.*GET \(orders\))(?=.*POST \(orderCreate\))/,
    ],
    ['a user where a provider is asked for', ['/otep/ingest', { body: {} }], /client_admin cannot .+: provider\.$/],
    ['a role that may not', ['/users', { body: {} }], /driver cannot .+: .*client_admin/, 'driver'],
    [
      'an old name of a member',
      ['/orders/1', { method: 'PATCH', body: { order_note: 'x' } }],
      /^order_note: .+Known fields: .*note/,
    ],
    ['an id that is a word', ['/orders/first'], /^order_id: Must be of type number, not string/],
    ['an id that nothing has', ['/orders/99999999'], /order/i],
    ['a negative id', ['/orders/-1'], /^order_id: /],
    [
      'a list that is a single value',
      ['/routes/1/orders', { body: { order_ids: 5 } }],
      /^order_ids: Must be of type array, not number/,
    ],
    ['an empty list', ['/orders/batch', { body: { orders: [] } }], /^orders: Must not be empty/],
    [
      'a time window that ends before it begins',
      ['/orders', { body: { type: 'D', delivery: STOP, time_windows: [{ from: '12:00', to: '09:00' }] } }],
      /^time_windows\/0\/to: .*later than/,
    ],
    [
      'a time of the wrong form',
      ['/orders', { body: { type: 'D', delivery: STOP, time_windows: [{ from: '9', to: '12:00' }] } }],
      /^time_windows\/0\/from: .*HH:MM/,
    ],
    [
      'a day that is over',
      ['/orders', { body: { type: 'D', delivery: STOP, schedule_date: '2020-01-01' } }],
      /^schedule_date: /,
    ],
    [
      'a delivery that is missing its street',
      ['/orders', { body: { type: 'D', delivery: { name: 'A', city: 'B', country: 'DE' } } }],
      /^delivery\/street: This field is required/,
    ],
    [
      'an e-mail address without an @',
      ['/users', { body: { email: 'ada', password: 'long enough password', name: 'Ada', role: 'employee' } }],
      /^email: /,
    ],
    [
      'a password that is too short',
      ['/users', { body: { email: 'a@b.example', password: 'x', name: 'Ada', role: 'employee' } }],
      /^password: /,
    ],
    ['a cursor that is none', ['/orders?cursor=next'], /^cursor: /],
    ['a cursor and a page', ['/orders?cursor=abcdefghijklmnop&page=2'], /^cursor: /],
    ['page 0', ['/orders?page=0'], /^page: /],
    ['a field that does not exist', ['/orders?fields=order_id'], /^fields: .*order_id.*id, /],
    ['a filter that is spelled otherwise', ['/routes?date=2030-01-01'], /^date: .*schedule_date/],
    ['a day that does not exist', ['/routes?schedule_date=2030-02-30'], /^schedule_date: .*YYYY-MM-DD/],
    [
      'an address that is no https',
      ['/webhook-settings', { method: 'PATCH', body: { default_webhook_url: 'http://shop.example' } }],
      /https URL/,
    ],
    [
      'latitude and longitude as a list',
      ['/pois', { body: { name: 'A', category: 'shop', position: [52.5, 13.4] } }],
      /^position: Must be of type object, not array/,
    ],
    [
      'a latitude beyond the pole',
      ['/pois', { body: { name: 'A', category: 'shop', position: { latitude: 91, longitude: 0 } } }],
      /^position\/latitude: .*90/,
    ],
    [
      'a plan of a day that is over',
      ['/route-plans', { body: { schedule_date: '2020-01-01' } }],
      /in the past\. Use today/,
    ],
    ['a path that does not exist', ['/order'], /No operation has this path.*openapi\.json/],
    ['a job id that is no UUID', ['/jobs/17'], /^job_id: .*UUID/],
    [
      'a version that is no number',
      ['/orders/1', { method: 'PATCH', body: { if_version: 'one', note: 'x' } }],
      /^if_version: Must be of type number, not string/,
    ],
    [
      'more mistakes than are shown',
      ['/users', { body: {} }],
      /^\w+: .+ \w+: .+ \w+: .+ Further errors in `errors`: 1/,
    ],
    [
      'a required choice that is missing',
      ['/orders', { body: { delivery: STOP } }],
      /^type: This field is required\. Must be one of: D, P, P2P\./,
    ],
    ['a body that is a list', ['/orders', { body: [{ type: 'D' }] }], /^body: Must be of type object, not array\./],
    [
      'a weight of 0',
      ['/orders', { body: { type: 'D', delivery: STOP, packages: [{ weight_kg: 0 }] } }],
      /weight_kg: Must be greater than 0\./,
    ],
    [
      'null where a value is needed',
      ['/orders', { body: { type: 'D', delivery: STOP, packages: [{ weight_kg: null }] } }],
      /weight_kg: Must be of type number, not null\./,
    ],
    [
      'a blank street',
      ['/orders', { body: { type: 'D', delivery: { ...STOP, street: ' ' } } }],
      /^delivery\/street: Must not be empty\./,
    ],
    [
      'a phone number with letters',
      ['/orders', { body: { type: 'D', delivery: { ...STOP, phone: 'call me' } } }],
      /^delivery\/phone: .*a phone number of digits/,
    ],
    [
      'half of a position',
      ['/orders', { body: { type: 'D', delivery: { ...STOP, position: { latitude: 52.5 } } } }],
      /^delivery\/position\/longitude: This field is required/,
    ],
    [
      'a character that no text can hold',
      ['/orders', { body: { type: 'D', delivery: STOP, note: 'a\u0000b' } }],
      /^Text must not contain U\+0000/,
    ],
    [
      'a customer that does not exist',
      ['/orders', { body: { ...ORDER, customer_id: 99_999 } }],
      /^customer_id: .*no customer/,
    ],
    ['a fraction for a page', ['/orders?page=2.5'], /^page: Must be of type integer, not number/],
    ['a field of a member that has none', ['/orders?fields=id.x'], /^fields: Unknown field x: .*no fields/],
    [
      'a position of the log that is none',
      ['/audit/events?cursor=x'],
      /event position .*Use a position that/,
      'auditor',
    ],
    [
      'a proof from the newer head to the older',
      ['/audit/proofs/consistency?from=5&to=1'],
      /^from: .*not larger than/,
      'auditor',
    ],
    [
      'a profile and scopes',
      ['/api-keys', { body: { name: 'x', profile: 'support', scopes: ['orders:read'] } }],
      /^scopes: .*absent if/,
    ],
    [
      'a scope that does not exist',
      ['/api-keys', { body: { name: 'x', scopes: ['orders'] } }],
      /^scopes\/0: .*orders:read/,
    ],
    [
      'a role that the caller cannot give',
      [
        '/users',
        { body: { email: 'a@b.example', password: 'long enough password', name: 'A', role: 'platform_admin' } },
      ],
      /cannot create an account with the role platform_admin/,
    ],
    ['disabling oneself', ['/users/1/disable', { method: 'POST' }], /your own account\. Ask/],
    ['a code with a capital letter', ['/skills/ADR', { method: 'PUT', body: {} }], /^code: .*a-z, 0-9 and _/],
    [
      'a file of another type',
      ['/files?purpose=photo', { body: 'no picture', headers: { 'content-type': 'image/png' } }],
      /content of the file .*image\/png/,
    ],
    [
      'a form in place of JSON',
      ['/orders', { body: 'type=D', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
      /media type of the request body .*application\/json/,
    ],
    [
      'another charset',
      ['/orders', { body: '{}', headers: { 'content-type': 'application/json; charset=latin1' } }],
      /charset=utf-8/,
    ],
    [
      'a body that is not compressed as it says',
      ['/orders', { body: '{}', headers: { 'content-encoding': 'gzip' } }],
      /^body: .*Content-Encoding/,
    ],
    [
      'an encoding of the body that nothing reads',
      ['/orders', { body: '{}', headers: { 'content-encoding': 'br' } }],
      /content encoding .*gzip/,
    ],
    ['a percent sign in the path', ['/orders/%ZZ'], /percent sign/],
    [
      'an ETag without quotes',
      ['/orders/1', { method: 'PATCH', body: { note: 'x' }, headers: { 'if-match': '17' } }],
      /^if-match: .*ETag/,
    ],
    [
      'a version that is not the current one',
      ['/orders/1', { method: 'PATCH', body: { note: 'x', if_version: 999 } }],
      /now has version \d+\. Read it again/,
    ],
    [
      'an idempotency key with a space',
      ['/orders', { body: ORDER, headers: { 'idempotency-key': 'a b' } }],
      /1 to 255 .* without spaces/,
    ],
    ['a token that is unknown', ['/orders', { key: 'abc' }], /unknown, expired or revoked/],
    [
      'a table that ends within quotes',
      ['/orders/import', { body: { csv: 'type,note\nD,"abc' } }],
      /^csv: .*Quote Not Closed.*line 2/,
    ],
    [
      'a column that no import has',
      ['/orders/import', { body: { csv: 'type,foo\nD,1' } }],
      /^csv: Unknown column foo\. Known columns: /,
    ],
    [
      'a tool that cannot be proposed',
      ['/proposals', { body: { tool: 'put_on_hold' } }],
      /no tool put_on_hold\. .*hold_order/,
    ],
    [
      'arguments that the proposed tool does not take',
      ['/proposals', { body: { tool: 'hold_order', arguments: { id: 1 } } }],
      /^arguments\/order_id: This field is required\. arguments\/id: Unknown field id/,
    ],
  ];

  for (const [what, [path, options], expectedMessage, by = 'client_admin'] of MISTAKES)
    it(`is explained: ${what}`, async () => {
      const { status, json } = await fixture.as(by, path, options);
      expect(status).to.be.within(400, 499);
      expect(json.detail).to.match(expectedMessage);
      expect(json.message).to.equal(json.detail);
      expect(json.doc_url).to.equal(`${service.url}/api/docs/errors#${json.code}`);
    });

  it('is explained: an idempotency key of another request', async () => {
    const headers = { 'idempotency-key': 'mistaken' };
    expect((await fixture.as('client_admin', '/orders', { body: ORDER, headers })).status).to.equal(201);
    const { json } = await fixture.as('client_admin', '/orders', { body: { ...ORDER, note: 'x' }, headers });
    expect(json.detail).to.match(/used for another request\. .*use a new key/);
  });

  it('is explained: an order that changes in its last status, or is on a route', async () => {
    const { order_id } = await fixture.order();
    await fixture.as('client_admin', `/orders/${order_id}/cancel`, { body: {} });
    const closed = await fixture.as('client_admin', `/orders/${order_id}/hold`, { body: {} });
    expect(closed.json.detail).to.match(/closed \(status CANCELLED\)/);
    const { json } = await fixture.as('client_admin', '/orders?status=PLANNED');
    const planned = await fixture.as('client_admin', `/orders/${json.orders[0].id}/hold`, { body: {} });
    expect(planned.json.detail).to.match(/on a route\. Remove it from the route first \(routeRemoveOrders\)/);
  });

  it('is explained: a push without any good event', async () => {
    const event = { occurred_at: '2026-11-18T09:12:00', status_code: 'picked_up', source: { type: 'carrier' } };
    const { json } = await service.push({
      otep_version: '0.1',
      subject: { tracking_number: 'MISTAKE1' },
      events: [event],
    });
    expect(json.detail).to.match(/The first error is at \/events\/0\/occurred_at \(Expected an RFC 3339 time/);
  });

  /** A document, its variables, and what the first error says. */
  const OF_GRAPHQL: readonly (readonly [what: string, query: string, says: RegExp, variables?: object])[] = [
    ['a document that ends early', '{ orders {', /Expected Name, found <EOF>\)\.$/],
    ['a field that does not exist', '{ order(orderId: 1) { foo } }', /Cannot query field "foo"/],
    ['a field that is spelled otherwise', '{ ordr(orderId: 1) { result } }', /Did you mean .*order.*\?\)\.$/],
    ['an argument in snake_case', '{ orders(per_page: 5) { total } }', /Did you mean "perPage"/],
    ['a missing argument', '{ order { result } }', /^orderId: This field is required/],
    ['a text for an id', '{ order(orderId: "x") { result } }', /^orderId: Must be of type integer\./],
    ['too many of a page', '{ orders(perPage: 500) { total } }', /^perPage: Must be at most 200/],
    ['an id that nothing has', '{ order(orderId: 99999999) { result } }', /no such order/],
  ];
  for (const [what, query, expectedMessage] of OF_GRAPHQL)
    it(`is explained over GraphQL: ${what}`, async () => {
      const key = await signIns(service)('client_admin');
      const { errors } = await graphql(service.url, query, { key });
      expect(errors?.[0]?.message).to.match(expectedMessage);
    });

  /** A tool, its arguments, and what the error says. */
  const OF_MCP: readonly (readonly [what: string, tool: string, args: unknown, says: RegExp])[] = [
    [
      'an argument that the tool does not take',
      'get_orders',
      { state: 'HOLD' },
      /^state: Unknown field state\. Known fields: status/,
    ],
    ['a missing argument', 'get_order_detail', {}, /^order_id: This field is required/],
    ['a day of another form', 'list_exceptions', { schedule_date: '27.11.2026' }, /^schedule_date: .*YYYY-MM-DD/],
    ['a call without confirm', 'cancel_order', { order_id: 1 }, /Repeat the call with confirm=true/],
    [
      'a key with a space',
      'update_order_note',
      { order_id: 1, note: 'x', idempotency_key: 'a b' },
      /^idempotency_key: .*without spaces/,
    ],
    [
      'a stale version',
      'update_order_note',
      { order_id: 1, note: 'x', if_version: 999 },
      /now has version \d+\. Read it again/,
    ],
  ];
  for (const [what, tool, args, expectedMessage] of OF_MCP)
    it(`is explained over MCP: ${what}`, async () => {
      const token = await signIns(service)('client_admin');
      const { isError, structuredContent } = await callTool(service, tool, args, { token });
      expect(isError).to.equal(true);
      expect((structuredContent as { error: { message: string } }).error.message).to.match(expectedMessage);
    });

  it('is explained over MCP: a tool that does not exist, and arguments that are no object', async () => {
    const token = await signIns(service)('client_admin');
    const unknown = await rpc(service, 'tools/call', { name: 'list_orders', arguments: {} }, { token });
    expect(unknown.body.error.message).to.match(
      /Unknown tool: list_orders\. Nearest: get_orders, .*\. tools\/list lists/,
    );
    const list = await rpc(service, 'tools/call', { name: 'get_orders', arguments: [] }, { token });
    expect(list.body.error.message).to.match(/^params: .*"arguments": \{\}/);
  });

  it('is explained in the language of the caller', async () => {
    const headers = { 'accept-language': 'de' };
    const { json } = await fixture.as('client_admin', '/orders', { body: { type: 'D' }, headers });
    expect(json.detail).to.match(/^delivery: .*erforderlich|^delivery: .*Pflicht|^delivery: .+/);
    expect(json.detail).to.not.contain('required');
  });

  it('is located in JSON that cannot be parsed', async () => {
    const key = await signIns(service)('client_admin');
    const response = await fetch(`${service.url}/api/v1/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{\n  "type": "D"\n  "delivery": {} }',
    });
    const json = (await response.json()) as { code: string; detail: string };
    expect(json.code).to.equal('MALFORMED_JSON');
    expect(json.detail).to.match(/line 3, column 3/);
  });
});

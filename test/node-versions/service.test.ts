/** A service on this version of Node: its native and WebAssembly parts work, and so do a push and a read. */
import { expect } from 'chai';
import { event, newNumber, timelineOf } from '../support/inputs/pushes.js';
import { openOrderFixture } from '../support/worlds/orders.js';
import { startTestService, type TestService } from '../support/worlds/service.js';

describe(`a service on Node ${process.versions.node}`, () => {
  let t: TestService;
  before(async () => void (t = await startTestService()));
  after(() => t.stop());

  it('has the requested version', () => {
    const expected = process.env['EXPECTED_NODE'];
    if (expected !== undefined) expect(process.versions.node.split('.')[0]).to.equal(expected);
  });

  it('accepts a push and returns the result', async () => {
    const number = newNumber();
    const pushed = await t.push(timelineOf(number, [event('picked_up'), event('delivered', 1)]));
    expect([pushed.status, pushed.json.accepted], pushed.text).to.deep.equal([200, 2]);
    const { json } = await t.read(number, pushed);
    expect(json.current_status).to.equal('delivered');
  });

  it('signs in (argon2, native), creates an order and prints its label (fonts, WebAssembly)', async () => {
    const fixture = openOrderFixture(t);
    const { order_id } = await fixture.order();
    const label = await fixture.as('employee', `/orders/${order_id}/label`);
    expect([label.status, label.json.result]).to.deep.equal([200, true]);
  });
});

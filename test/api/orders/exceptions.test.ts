/** Failures of a period: they stay when the order is delivered later, and have time, reason and note. */
import { expect } from 'chai';
import { callTool } from '../../support/clients/mcp.js';
import { eventually } from '../../support/eventually.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { event, timelineOf } from '../../support/inputs/pushes.js';
import { openLateScans, type LateOrder, type LateScans } from '../../support/worlds/late-scans.js';
import { TODAY } from '../../support/worlds/dispatch-board.js';
import { tokenOf } from '../../support/clients/mcp.js';

const TOMORROW = '2026-11-25';
const REASON = { reason_code: 'recipient_absent', note: 'Nobody answered the bell.' };

describe('exceptions of a period (agents M3)', () => {
  let w: LateScans;
  before(async () => void (w = await openLateScans()));
  after(() => w.stop());

  const scan = async (order: LateOrder, code: string, more: object = {}) => {
    w.wait(1);
    const { json, text } = await w.scan('first', order.number, code, w.minute(), more);
    expect(json.scan?.outcome, text).to.equal('applied');
    return json.scan.id as string;
  };
  const list = async (query: string) => {
    const { status, json, text } = await w.as('employee', `/orders/exceptions?${query}`);
    expect(status, text).to.equal(200);
    return json;
  };
  const idsIn = ({ orders }: { orders: { id: number }[] }): number[] => orders.map(({ id }) => id);
  const period = (from: string, to = from) => `occurred_from=${from}&occurred_to=${to}`;

  it('include an order that was delivered later, with time, reason, note and driver', async () => {
    const order = await w.onRoute();
    await scan(order, 'out_for_delivery');
    await scan(order, 'delivery_failed', REASON);
    const occurred_at = w.at(w.minute());
    await scan(order, 'out_for_delivery');
    await scan(order, 'delivered');
    expect(idsIn(await list(`schedule_date=${TODAY}`))).not.to.include(order.id);
    const { schedule_date, orders } = await list(period(TODAY));
    expect(schedule_date).to.equal(null);
    const found = orders.find(({ id }: { id: number }) => id === order.id);
    expect(found).to.include({ status: 'DELIVERED' });
    expect(found.delivery).to.include({ name: 'Ada' });
    expect(found.exceptions).to.deep.equal([
      {
        status: 'DELIVERY_FAILED',
        status_code: 'delivery_failed',
        occurred_at,
        ...REASON,
        tracking_number: order.number,
        driver_id: w.drivers['first'],
      },
    ]);
  });

  it('include each failure of an order, oldest first, also in the list of a day', async () => {
    const order = await w.onRoute();
    await scan(order, 'delivery_failed');
    await scan(order, 'out_for_delivery');
    await scan(order, 'delivery_failed', { reason_code: 'access_denied' });
    const { orders } = await list(`schedule_date=${TODAY}`);
    const found = orders.find(({ id }: { id: number }) => id === order.id);
    expect(found.exceptions.map((one: { reason_code: string | null }) => one.reason_code)).to.deep.equal([
      null,
      'access_denied',
    ]);
  });

  it('omit a scan that was superseded, and include its replacement', async () => {
    const order = await w.onRoute();
    const wrong = await scan(order, 'delivery_failed');
    const replacement = { status_code: 'rejected_by_recipient', occurred_at: w.at(w.minute()) };
    const body = { reason: 'wrong button', replacement };
    const answer = await w.as('employee', `/orders/${order.id}/scans/${wrong}/supersede`, body);
    expect(answer.status, answer.text).to.equal(200);
    expect(idsIn(await list(`${period(TODAY)}&status=DELIVERY_FAILED`))).not.to.include(order.id);
    expect(idsIn(await list(`${period(TODAY)}&status=REJECTED`))).to.include(order.id);
    expect(idsIn(await list(`schedule_date=${TODAY}&status=RETURNED`))).to.deep.equal([]);
  });

  it("have the reason of a carrier's scan, until the carrier retracts it", async () => {
    const order = await w.onRoute();
    await w.as('employee', `/routes/${order.route}/orders/remove`, { order_ids: [order.id] });
    const { provider } = w.service.demo;
    await w.as('employee', `/orders/${order.id}/third-party`, { provider: provider.id });
    w.wait(1);
    const failed = event('delivery_failed', 0, {
      occurred_at: w.at(w.minute()),
      incident_reason: { code: 'address_incorrect' },
    });
    const pushed = await w.service.push(timelineOf(order.number, [failed]));
    expect(pushed.json.rejected, pushed.text).to.equal(0);
    const exceptions = async () =>
      (await list(period(TODAY))).orders.find(({ id }: { id: number }) => id === order.id)?.exceptions;
    const [found] = await eventually(exceptions, 'the exception');
    expect(found).to.include({ status: 'DELIVERY_FAILED', reason_code: 'address_incorrect', driver_id: null });
    await w.service.push({
      subject: { tracking_number: order.number },
      events: [
        {
          event_id: 'urn:example:wrong-failure',
          retracts: pushed.json.events[0].event_id,
          occurred_at: w.at(w.minute()),
        },
      ],
    } as never);
    await eventually(async () => (await exceptions()) === undefined, 'the retraction');
  });

  it('follow the days of the timezone of the business, by cursor', async () => {
    const before = await list(period(TODAY));
    const late = await w.onRoute();
    const next = [await w.onRoute(), await w.onRoute(), await w.onRoute()];
    // 23:30 in Berlin, which is the same day, and 00:30, which is the next one.
    w.wait(13 * 60 + 30 - w.minute());
    await scan(late, 'delivery_failed');
    w.wait(60);
    for (const order of next) await scan(order, 'pickup_failed');
    expect((await list(period(TODAY))).total).to.equal(before.total + 1);
    expect(idsIn(await list(`occurred_from=${TOMORROW}`))).to.have.members(next.map(({ id }) => id));
    expect((await list(`occurred_to=${TOMORROW}`)).total).to.equal(before.total + 4);
    const seen: number[] = [];
    for (let cursor = ''; ;) {
      const page = await list(`${period(TOMORROW)}&per_page=1${cursor && `&cursor=${cursor}`}`);
      seen.push(...idsIn(page));
      if (page.next_cursor === null) break;
      cursor = page.next_cursor as string;
    }
    expect(seen)
      .to.have.members(next.map(({ id }) => id))
      .and.have.length(3);
  });

  it('are not those of another business', async () => {
    const token = await tokenOf(w.service, 'other_client_admin');
    const { json } = await w.service.api(`/orders/exceptions?${period('2000-01-01', '2100-01-01')}`, { key: token });
    expect(json.total).to.equal(0);
  });

  it('are refused together with a schedule date, and with a last day before the first one', async () => {
    for (const [query, path] of [
      [`schedule_date=${TODAY}&occurred_from=${TODAY}`, '/schedule_date'],
      [period(TOMORROW, TODAY), '/occurred_from'],
      ['occurred_from=24.11.2026', '/occurred_from'],
    ] as const) {
      const { status, json } = await w.as('employee', `/orders/exceptions?${query}`);
      expect([status, json.errors?.[0].path], query).to.deep.equal([400, path]);
    }
  });

  it('come to an agent in one call, with recipient, time, reason and note', async () => {
    const token = await tokenOf(w.service, 'employee');
    const { structuredContent } = await callTool(
      w.service,
      'list_exceptions',
      { occurred_from: TODAY, occurred_to: TOMORROW },
      { token },
    );
    const { orders } = structuredContent as { orders: { exceptions: object[]; delivery: object }[] };
    const [one] = orders.filter(({ exceptions }) => exceptions.some((each) => 'note' in each));
    expect(one!.delivery).to.include({ name: 'Ada' });
    expect(one!.exceptions[0])
      .to.include({ status: 'DELIVERY_FAILED', ...REASON })
      .and.have.property('occurred_at');
    expect(JSON.stringify(structuredContent).length / 4).to.be.below(25_000);
  });

  it('are the same after a rebuild', () => expectSameReplay(w.service, ['orders']));
});

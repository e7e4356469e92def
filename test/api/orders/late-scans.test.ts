/** Scans that arrive after the order or its driver changed: none is lost (field-transport F1). */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { openLateScans, type LateOrder, type LateScans, type Sender } from '../../support/worlds/late-scans.js';

describe('scans that arrive late (field-transport F1)', () => {
  let w: LateScans;
  before(async () => void (w = await openLateScans()));
  after(() => w.stop());

  /** Changes of an order while a driver has no connection. */
  const CHANGES = {
    replaced: ({ route }: LateOrder) =>
      w.as('employee', `/routes/${route}/driver`, { driver_id: w.drivers['second'] }, 'PUT'),
    'taken off the route': ({ route, id }: LateOrder) =>
      w.as('employee', `/routes/${route}/orders/remove`, { order_ids: [id] }),
    cancelled: ({ id }: LateOrder) => w.as('employee', `/orders/${id}/cancel`, { reason: 'by phone' }),
    'delivered by the office': ({ number }: LateOrder) => w.scan('employee', number, 'delivered', w.minute()),
  } as const;
  type Change = keyof typeof CHANGES;

  /** An order that was out for delivery five minutes before the change, which is one minute ago. */
  async function changed(change: Change): Promise<LateOrder & { readonly before: number; readonly since: number }> {
    const order = await w.onRoute();
    w.wait(1);
    const out = await w.scan('first', order.number, 'out_for_delivery', w.minute());
    expect(out.json.scan.outcome, out.text).to.equal('applied');
    w.wait(5);
    const answer = await CHANGES[change](order);
    expect(answer.status, answer.text).to.be.below(300);
    w.wait(1);
    return { ...order, before: w.minute() - 3, since: w.minute() };
  }

  /** Status of the order after a scan from before the change, and from after it; `conflict`: the scan waits. */
  const CASES: readonly [Change, code: string, before: string, after: string][] = [
    ['replaced', 'delivered', 'DELIVERED', 'conflict DRIVER_REPLACED'],
    ['replaced', 'delivery_failed', 'DELIVERY_FAILED', 'conflict DRIVER_REPLACED'],
    ['replaced', 'return_to_sender', 'RETURNED', 'conflict DRIVER_REPLACED'],
    ['taken off the route', 'delivered', 'DELIVERED', 'conflict DRIVER_REPLACED'],
    ['taken off the route', 'rejected_by_recipient', 'REJECTED', 'conflict DRIVER_REPLACED'],
    ['cancelled', 'delivered', 'conflict ORDER_CLOSED', 'conflict ORDER_CLOSED'],
    ['cancelled', 'delivery_failed', 'CANCELLED', 'conflict ORDER_CLOSED'],
    ['cancelled', 'received', 'CANCELLED', 'CANCELLED'],
    ['cancelled', 'return_to_sender', 'CANCELLED', 'CANCELLED'],
    ['replaced', 'received', 'RECEIVED', 'RECEIVED'],
    ['replaced', 'out_for_delivery', 'OUT_FOR_DELIVERY', 'conflict DRIVER_REPLACED'],
    ['delivered by the office', 'delivered', 'conflict ALREADY_DELIVERED', 'conflict ALREADY_DELIVERED'],
    ['delivered by the office', 'delivery_failed', 'DELIVERED', 'conflict ALREADY_DELIVERED'],
    ['delivered by the office', 'received', 'DELIVERED', 'DELIVERED'],
    ['delivered by the office', 'return_to_sender', 'conflict ALREADY_DELIVERED', 'conflict ALREADY_DELIVERED'],
  ];

  for (const [change, code, ...expected] of CASES)
    for (const [index, moment] of (['before', 'since'] as const).entries())
      it(`${code} of a driver from ${moment === 'since' ? 'after' : 'before'} the order is ${change}: ${expected[index]}`, async () => {
        const order = await changed(change);
        const [first, reason] = expected[index]!.split(' ');
        const answer = await w.scan('first', order.number, code, order[moment]);
        expect(answer.status, answer.text).to.equal(200);
        const { scan, result } = answer.json;
        const [conflict, ...others] = await w.conflictsOf(order.id);
        expect(others).to.deep.equal([]);
        if (first !== 'conflict') {
          expect({ result, outcome: scan.outcome, conflict }).to.deep.equal({
            result: true,
            outcome: 'applied',
            conflict: undefined,
          });
          expect((await w.orderOf(order.id)).status).to.equal(first);
          expect(await w.codesOf(order.number)).to.include(code);
        } else {
          expect({ result, outcome: scan.outcome, code: scan.code }).to.deep.equal({
            result: false,
            outcome: 'conflict',
            code: reason,
          });
          expect(scan.message).to.be.a('string');
          expect(conflict).to.include({ id: scan.id, code: reason, status: 'open', status_code: code });
          expect(await w.items()).to.include.members([
            (await w.items()).find((item) => item.startsWith(`unsettled_scan:${order.id}:`)),
          ]);
        }
        // A repetition gets the same answer, and is in the log once.
        const again = await w.scan('first', order.number, code, order[moment]);
        expect(again.json.scan.id, again.text).to.equal(scan.id);
        expect(await w.conflictsOf(order.id)).to.have.length(first === 'conflict' ? 1 : 0);
        const earlier = code === 'out_for_delivery' || (code === 'delivered' && change.startsWith('delivered')) ? 1 : 0;
        expect(await w.scansIn(order.id, code)).to.equal(earlier + (first === 'conflict' ? 0 : 1));
      });

  it('of a driver who never had the order look like scans of an unknown number', async () => {
    const order = await changed('cancelled');
    const known = await w.scan('second', order.number, 'delivered', order.before);
    const unknown = await w.scan('second', 'NOSUCHNUMBER', 'delivered', order.before);
    expect([known.status, known.json.code]).to.deep.equal([404, 'ORDER_NOT_FOUND']);
    expect([unknown.status, unknown.json.code]).to.deep.equal([known.status, known.json.code]);
    expect(await w.conflictsOf(order.id)).to.deep.equal([]);
  });

  for (const office of ['employee', 'client_admin'] as const)
    describe(`settled by a user with the role ${office}`, () => {
      const kept = async (change: Change, code: string, moment: 'before' | 'since') => {
        const order = await changed(change);
        const { scan } = (
          await w.scan('first', order.number, code, order[moment], {
            note: 'left with Ada',
            position: { latitude: 52.5, longitude: 13.4 },
          })
        ).json;
        expect(scan.outcome).to.equal('conflict');
        return { ...order, scan };
      };
      const ENDS: readonly [Change, string, 'before' | 'since', applied: string, discarded: string][] = [
        ['cancelled', 'delivered', 'before', 'DELIVERED', 'CANCELLED'],
        ['cancelled', 'rejected_by_recipient', 'since', 'REJECTED', 'CANCELLED'],
        ['replaced', 'delivered', 'since', 'DELIVERED', 'OUT_FOR_DELIVERY'],
        ['replaced', 'delivery_failed', 'since', 'DELIVERY_FAILED', 'OUT_FOR_DELIVERY'],
        ['delivered by the office', 'return_to_sender', 'since', 'RETURNED', 'DELIVERED'],
        ['delivered by the office', 'delivery_failed', 'since', 'DELIVERED', 'DELIVERED'],
      ];
      for (const [change, code, moment, applied, discarded] of ENDS) {
        it(`${code} for an order that was ${change} is applied once: ${applied}`, async () => {
          const { id, number, scan } = await kept(change, code, moment);
          const [one, other] = await Promise.all([
            w.settle(scan.id, 'apply', office),
            w.settle(scan.id, 'apply', office),
          ]);
          for (const { status, text } of [one, other]) expect(status, text).to.equal(200);
          expect(one.json.scan_conflict).to.include({
            status: 'applied',
            reason: 'asked the driver',
            note: 'left with Ada',
          });
          expect((await w.orderOf(id)).status).to.equal(applied);
          expect(await w.scansIn(id, code)).to.equal(1);
          expect(await w.codesOf(number)).to.include(code);
          const late = await w.settle(scan.id, 'discard', office);
          expect([late.status, late.json.code]).to.deep.equal([409, 'SCAN_SETTLED']);
          expect(await w.items()).not.to.include(`unsettled_scan:${id}`);
          // The sender learns what became of it.
          expect((await w.conflictsOf(id, 'first'))[0]).to.include({ id: scan.id, status: 'applied' });
          expect(await w.conflictsOf(id, 'second')).to.deep.equal([]);
        });

        it(`${code} for an order that was ${change} is discarded: ${discarded}`, async () => {
          const { id, number, scan } = await kept(change, code, moment);
          const answer = await w.settle(scan.id, 'discard', office);
          expect(answer.json.scan_conflict, answer.text).to.include({ status: 'discarded' });
          expect((await w.orderOf(id)).status).to.equal(discarded);
          expect(await w.scansIn(id, code)).to.equal(0);
          expect(await w.codesOf(number)).not.to.include(code);
        });
      }

      it('on the board, where the conflict is a choice of its item', async () => {
        const { id, scan } = await kept('cancelled', 'delivered', 'before');
        const item = (await w.items(office)).find((one) => one.startsWith(`unsettled_scan:${id}:`))!;
        const shown = await w.item(item, office);
        expect(shown.facts).to.include({ conflict_id: scan.id, code: 'ORDER_CLOSED', status_code: 'delivered' });
        expect(shown.choices).to.include('settle_scan');
        const decided = await w.decide(
          item,
          'settle_scan',
          { arguments: { decision: 'apply', reason: 'asked the driver' } },
          office,
        );
        expect(decided.json.outcome, decided.text).to.deep.equal({ status: 'done' });
        expect((await w.orderOf(id)).status).to.equal('DELIVERED');
        expect(await w.items(office)).not.to.include(item);
      });
    });

  it('one of two packages of a cancelled order that was delivered makes the order delivered', async () => {
    const order = await w.onRoute({ packages: [{ weight_kg: 1 }, { weight_kg: 2 }] });
    w.wait(3);
    await CHANGES.cancelled(order);
    const { scan } = (await w.scan('first', order.number, 'delivered', w.minute() - 1)).json;
    expect((await w.settle(scan.id, 'apply')).status).to.equal(200);
    expect((await w.orderOf(order.id)).status).to.equal('DELIVERED');
  });

  it('of an earlier moment do not change a status that a later scan confirmed', async () => {
    const order = await w.onRoute();
    for (const code of ['out_for_delivery', 'out_for_delivery']) {
      w.wait(4);
      await w.scan('first', order.number, code, w.minute());
    }
    await w.scan('first', order.number, 'delivery_failed', w.minute() - 2);
    expect((await w.orderOf(order.id)).status).to.equal('OUT_FOR_DELIVERY');
  });

  it('are settled only by the office of the business', async () => {
    const order = await changed('cancelled');
    const { scan } = (await w.scan('first', order.number, 'delivered', order.before)).json;
    for (const sender of ['first', 'second'] as Sender[])
      expect((await w.settle(scan.id, 'apply', sender)).status, sender).to.equal(403);
    const other = await w.settle(scan.id, 'apply', 'other_client_admin' as Sender);
    expect([other.status, other.json.code]).to.deep.equal([404, 'SCAN_NOT_FOUND']);
    expect((await w.as('second', `/scan-conflicts/${scan.id}`)).status).to.equal(404);
  });

  describe('by the office', () => {
    it('receive the parcel of a cancelled order, and return it to the sender', async () => {
      const order = await changed('cancelled');
      for (const code of ['received', 'return_to_sender']) {
        const { json, text } = await w.scan('employee', order.number, code, w.minute());
        expect(json.scan?.outcome, text).to.equal('applied');
        w.wait(1);
      }
      expect((await w.orderOf(order.id)).status).to.equal('CANCELLED');
      expect((await w.codesOf(order.number)).slice(-3)).to.deep.equal(['cancelled', 'received', 'return_to_sender']);
    });

    it('say delivered for a cancelled order: a conflict, that is not lost', async () => {
      const order = await changed('cancelled');
      const { json } = await w.scan('employee', order.number, 'delivered', w.minute());
      expect(json.scan).to.include({ outcome: 'conflict', code: 'ORDER_CLOSED' });
    });
  });

  it('of a retry with the same Idempotency-Key get the same answer', async () => {
    const order = await changed('cancelled');
    const body = { tracking_number: order.number, status_code: 'delivered', occurred_at: w.at(order.before) };
    const key = await w.tokenOf('employee');
    const answers = [];
    for (let n = 0; n < 2; n++)
      answers.push(await w.service.api('/scans', { key, body, headers: { 'idempotency-key': `late-${order.id}` } }));
    expect(answers[1]!.json).to.deep.equal(answers[0]!.json);
    expect(await w.conflictsOf(order.id)).to.have.length(1);
  });

  it('lose their personal members when the order is erased', async () => {
    const order = await changed('cancelled');
    const personal = {
      note: 'left with Ada',
      position: { latitude: 52.5, longitude: 13.4 },
      photos: ['https://x.example/1'],
    };
    await w.scan('first', order.number, 'delivered', order.before, personal);
    expect((await w.conflictsOf(order.id))[0]).to.deep.include(personal);
    const erased = await w.as('client_admin', `/privacy/subjects/order-${order.id}/erase`, {});
    expect(erased.status, erased.text).to.equal(200);
    const [conflict] = await w.conflictsOf(order.id);
    expect(conflict).to.deep.include({ note: null, position: null, photos: [], status: 'open' });
    // The fact can still be applied.
    expect((await w.settle(conflict.id, 'apply')).status).to.equal(200);
    expect((await w.orderOf(order.id)).status).to.equal('DELIVERED');
  });

  it('are the same after a rebuild', () =>
    expectSameReplay(w.service, ['orders', 'scan_conflicts', 'packages_at', 'timeline']));
});

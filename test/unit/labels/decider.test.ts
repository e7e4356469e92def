/** The rules of label orders, by given, when, then. */
import { expect } from 'chai';
import { MAX_ATTEMPTS } from '../../../src/commands/labels/attempts.js';
import { labels, type LabelCommand } from '../../../src/commands/labels/decider.js';
import { paymentStatus } from '../../../src/events/bill/state.js';
import { labelOrderState, labelStatusOf } from '../../../src/events/labels/state.js';
import { LABEL_STATES } from '../../../src/events/labels/states.js';
import { idOf, pay, setCharges } from '../bills/commands.js';
import {
  buyAgain,
  cancelOrder,
  command,
  createOrder,
  leftOpen,
  paid,
  past,
  purchased,
  refused,
  scanned,
  voided,
  voidRefused,
} from './commands.js';

const typesOf = ({ facts }: { readonly facts: readonly { readonly type: unknown }[] }): unknown[] =>
  facts.map(({ type }) => type);
/** The state of the order, of its packages, and of its bill, after commands. */
function after(...commands: readonly LabelCommand[]) {
  const state = commands.reduce((now, one) => {
    const { facts } = labels.decide(now, one);
    return facts.reduce(
      (so, { id, type, data }) => labels.evolve(so, { id, type: type.type, data: JSON.parse(JSON.stringify(data)) }),
      now,
    );
  }, labels.initial());
  return [labelOrderState(state.order), state.order.shipments.map(labelStatusOf), paymentStatus(state.bill)] as const;
}
const refusal = (commands: readonly LabelCommand[], last: LabelCommand): unknown => {
  try {
    past(...commands).when(last);
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
  return undefined;
};
const bill = (change: unknown): LabelCommand => change as LabelCommand;

describe('decider of label orders', () => {
  it('names each state with its own id', () => {
    expect(new Set(Object.values(LABEL_STATES)).size).to.equal(12);
  });

  it('creates an order, and begins one purchase for each package', () => {
    const decision = past().when(createOrder({ packages: 2 }));
    expect(typesOf(decision)).to.deep.equal([
      'LabelOrderCreated',
      'ChargesSet',
      'LabelPurchaseBegun',
      'LabelPurchaseBegun',
    ]);
    expect(after(createOrder({ packages: 2 }))).to.deep.equal(['LABEL_PENDING', ['pending', 'pending'], 'unpaid']);
  });

  it('begins one purchase for all packages of a carrier with shipments of several packages', () => {
    expect(typesOf(past().when(createOrder({ packages: 3, whole: true })))).to.have.length(3);
    const all = [createOrder({ packages: 3, whole: true }), purchased('order', 1, ['1', '2', '3'])];
    expect(after(...all)).to.deep.equal(['LABEL_PURCHASED', ['purchased'], 'unpaid']);
  });

  it('begins no purchase before a required payment, and begins it in the append of the payment', () => {
    expect(typesOf(past().when(createOrder({ pays: true })))).to.deep.equal([
      'LabelOrderCreated',
      'ChargesSet',
      'PaymentBegun',
    ]);
    expect(typesOf(past(createOrder({ pays: true })).when(paid()))).to.deep.equal([
      'PaymentReceived',
      'LabelPurchaseBegun',
    ]);
  });

  it('buys nothing when the wallet refuses the payment', () => {
    expect(typesOf(past(createOrder({ pays: true })).when(paid('INSUFFICIENT_FUNDS')))).to.deep.equal([
      'PaymentFailed',
    ]);
    expect(after(createOrder({ pays: true }), paid('INSUFFICIENT_FUNDS'))).to.deep.equal([
      'LABEL_PURCHASE_FAILED',
      ['pending'],
      'unpaid',
    ]);
  });

  it('returns the payment when a purchase is refused, and keeps the order and its price', () => {
    const decision = past(createOrder({ pays: true }), paid()).when(refused());
    expect(typesOf(decision)).to.deep.equal(['LabelPurchaseFailed', 'RefundBegun']);
    expect((decision.facts[1]!.data as { why: string }).why).to.equal('purchase_failed');
    expect(after(createOrder({ pays: true }), paid(), refused())).to.deep.equal([
      'LABEL_PURCHASE_FAILED',
      ['failed'],
      'refunded',
    ]);
  });

  it('labels R3: waits for all attempts before it fails, and buys only the missing labels again', () => {
    const first = [createOrder({ packages: 2, pays: true }), paid(), refused('1')];
    expect(after(...first)[0]).to.equal('LABEL_PENDING');
    const failed = [...first, purchased('2')];
    const decision = past(...failed).when(buyAgain());
    expect(typesOf(decision)).to.deep.equal(['LabelPurchaseBegun']);
    expect(decision.facts[0]!.data).to.include({ about: '1', attempt: 2, digest: 'digest 1' });
    expect(after(...failed, buyAgain(), purchased('1', 2))[0]).to.equal('LABEL_PURCHASED');
  });

  it('keeps the payment while at least one label exists, and requires no second one', () => {
    const failed = [createOrder({ packages: 2, pays: true }), paid(), refused('1'), purchased('2')];
    expect(after(...failed)).to.deep.equal(['LABEL_PURCHASE_FAILED', ['failed', 'purchased'], 'paid']);
    expect(typesOf(past(...failed).when(buyAgain(idOf(2))))).to.deep.equal(['LabelPurchaseBegun']);
    const bought = [...failed, buyAgain(idOf(2)), purchased('1', 2)];
    expect(after(...bought)).to.deep.equal(['LABEL_PURCHASED', ['purchased', 'purchased'], 'paid']);
    const cancelled = [...failed, cancelOrder(), voided('2', 'refunded')];
    expect(after(...cancelled)).to.deep.equal(['VOIDED', ['failed', 'voided'], 'refunded']);
    const alone = [...failed, cancelOrder({ packageId: '2' }), voided('2', 'refunded')];
    expect(after(...alone), 'the office decides about a part').to.deep.equal([
      'LABEL_PURCHASE_FAILED',
      ['failed', 'voided'],
      'paid',
    ]);
    expect(after(...alone, cancelOrder())).to.deep.equal(['CANCELLED', ['failed', 'voided'], 'refunded']);
  });

  it('takes the payment again for the next attempt, if the money was returned', () => {
    const failed = [createOrder({ pays: true }), paid(), refused()];
    expect(typesOf(past(...failed).when(buyAgain(idOf(2))))).to.deep.equal(['PaymentBegun']);
    const again = [...failed, buyAgain(idOf(2)), paid(undefined, idOf(2))];
    expect(after(...again)).to.deep.equal(['LABEL_PENDING', ['pending'], 'partly_refunded']);
    expect(after(...again, refused('1', 2))).to.deep.equal(['LABEL_PURCHASE_FAILED', ['failed'], 'refunded']);
  });

  it('returns a payment that ends after the failure, or after the last void', () => {
    const begun = bill(pay(4));
    const failed = [createOrder(), begun, refused()];
    expect(after(...failed)[2]).to.equal('unpaid');
    expect(typesOf(past(...failed).when(paid(undefined, idOf(4))))).to.deep.equal(['PaymentReceived', 'RefundBegun']);
    const voiding = [createOrder(), purchased(), cancelOrder({ packageId: '1' }), begun, voided('1', 'refunded')];
    expect(after(...voiding)).to.deep.equal(['VOIDED', ['voided'], 'unpaid']);
    expect(typesOf(past(...voiding).when(paid(undefined, idOf(4))))).to.deep.equal([
      'PaymentReceived',
      'ChargesSet',
      'RefundBegun',
    ]);
  });

  it('takes no payment after attempts without a label', () => {
    expect(refusal([createOrder(), refused()], bill(pay(4)))).to.equal('NO_LABEL');
    const partly = [createOrder({ packages: 2 }), refused('1'), purchased('2')];
    expect(refusal(partly, bill(pay(4)))).to.equal(undefined);
  });

  it('keeps a fee that the office sets after the void', () => {
    const over = [createOrder(), purchased(), cancelOrder(), voided('1', 'refunded')];
    expect(typesOf(past(...over).when(bill(setCharges('2'))))).to.deep.equal(['ChargesSet']);
  });

  it('requests a void again that the carrier had accepted and then rejected', () => {
    const rejected = [createOrder(), purchased(), cancelOrder(), voided('1', 'submitted')];
    const report = command({ do: 'report_void', shipment: '1', status: 'rejected' });
    const again = past(...rejected, report).when(cancelOrder());
    expect(typesOf(again)).to.deep.equal(['LabelVoidRequested', 'LabelVoidBegun']);
    expect(again.facts[1]!.data).to.include({ about: '1', attempt: 2 });
    const all = [...rejected, report, cancelOrder(), voided('1', 'refunded', 2)];
    expect(after(...all).slice(0, 2)).to.deep.equal(['VOIDED', ['voided']]);
    const atOnce = [createOrder(), purchased(), cancelOrder(), voided('1', 'rejected')];
    expect(typesOf(past(...atOnce).when(cancelOrder()))).to.deep.equal(['LabelVoidRequested', 'LabelVoidBegun']);
  });

  it('has its price again when the carrier rejects a void after the refund', () => {
    const rejected = [
      createOrder({ pays: true }),
      paid(),
      purchased(),
      cancelOrder({ refundOn: 'submitted' }),
      voided('1', 'submitted'),
    ];
    expect(after(...rejected)).to.deep.equal(['VOID_REQUESTED', ['void_requested'], 'refunded']);
    const decision = past(...rejected).when(command({ do: 'report_void', shipment: '1', status: 'rejected' }));
    expect(typesOf(decision)).to.deep.equal(['LabelVoidRejected', 'ChargesSet']);
    expect(decision.reply.bill).to.include({ total: '10.00', version: 3 });
    const fee = [...rejected, bill(setCharges('2')), command({ do: 'report_void', shipment: '1', status: 'rejected' })];
    expect(past(...fee).when(bill(pay(9))).reply.bill.total, 'what the office has set stays').to.equal('2.00');
  });

  it('takes a fee that the office sets after the void', () => {
    const over = [createOrder(), purchased(), cancelOrder(), voided('1', 'refunded'), bill(setCharges('2'))];
    const begun = [...over, bill(pay(9))];
    const decision = past(...begun).when(paid(undefined, idOf(9)));
    expect(typesOf(decision)).to.deep.equal(['PaymentReceived']);
    const free = [createOrder({ price: '0' }), purchased(), cancelOrder(), voided('1', 'refunded')];
    const late = [...free, bill(setCharges('2')), bill(pay(9))];
    expect(typesOf(past(...late).when(paid(undefined, idOf(9))))).to.deep.equal(['PaymentReceived']);
  });

  it('voids the other labels after the carrier has refused a part of a cancellation', () => {
    const bought = [createOrder({ packages: 2 }), purchased('1'), purchased('2'), cancelOrder()];
    const partly = [...bought, voidRefused('1'), voided('2', 'submitted')];
    expect(after(...partly).slice(0, 2)).to.deep.equal(['LABEL_PURCHASED', ['purchased', 'void_requested']]);
    const again = past(...partly).when(cancelOrder());
    expect(typesOf(again)).to.deep.equal(['LabelVoidRequested', 'LabelVoidBegun']);
    expect(again.facts[1]!.data).to.include({ about: '1', attempt: 2 });
    const refusedBoth = [...bought, voidRefused('1'), voidRefused('2')];
    const alone = [...refusedBoth, cancelOrder({ packageId: '1' })];
    expect(after(...alone).slice(0, 2)).to.deep.equal(['LABEL_PURCHASED', ['void_requested', 'purchased']]);
    expect(typesOf(past(...alone).when(cancelOrder()))).to.deep.equal(['LabelVoidRequested', 'LabelVoidBegun']);
  });

  it('ends after a number of attempts', () => {
    const commands = [createOrder()];
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      expect(refusal(commands, commands.length > 1 ? buyAgain() : refused())).to.equal(undefined);
      if (attempt > 1) commands.push(buyAgain());
      commands.push(refused('1', attempt));
    }
    expect(refusal(commands, buyAgain())).to.equal('TOO_MANY_ATTEMPTS');
    expect(after(...commands, cancelOrder())[0]).to.equal('CANCELLED');
  });

  it('labels R2: begins no second attempt while one is open', () => {
    expect(refusal([createOrder()], buyAgain())).to.equal('PURCHASE_IN_PROGRESS');
    expect(refusal([createOrder(), leftOpen()], buyAgain())).to.equal('PURCHASE_IN_PROGRESS');
    expect(refusal([createOrder(), refused(), buyAgain()], buyAgain())).to.equal('PURCHASE_IN_PROGRESS');
    expect(refusal([createOrder({ pays: true })], buyAgain())).to.equal('PAYMENT_IN_PROGRESS');
    expect(refusal([createOrder()], cancelOrder())).to.equal('PURCHASE_IN_PROGRESS');
    expect(refusal([createOrder({ pays: true })], cancelOrder())).to.equal('PAYMENT_IN_PROGRESS');
    expect(refusal([createOrder(), purchased()], buyAgain())).to.equal('LABEL_EXISTS');
    expect(refusal([createOrder(), refused(), cancelOrder()], buyAgain())).to.equal('ORDER_CLOSED');
  });

  it('shows a purchase with an unknown result as open', () => {
    expect(after(createOrder(), leftOpen())).to.deep.equal(['LABEL_PENDING', ['open'], 'unpaid']);
  });

  it('hides orders of other businesses', () => {
    expect(refusal([createOrder()], command({ do: 'purchase' }, { business: 2 }))).to.equal('ORDER_NOT_FOUND');
    expect(refusal([], command({ do: 'purchase' }))).to.equal('ORDER_NOT_FOUND');
    expect(refusal([createOrder()], createOrder())).to.equal('ORDER_EXISTS');
  });

  it('repeats a command without effect', () => {
    const create = createOrder({ packages: 2 });
    const { facts, reply } = past(create).when(create);
    expect(facts).to.deep.equal([]);
    expect(reply.open).to.have.length(2);
  });

  it('labels R6: voids the labels, and refunds when the carrier has confirmed', () => {
    const bought = [createOrder({ packages: 2, pays: true }), paid(), purchased('1'), purchased('2')];
    expect(typesOf(past(...bought).when(cancelOrder()))).to.deep.equal([
      'LabelVoidRequested',
      'LabelVoidBegun',
      'LabelVoidBegun',
    ]);
    const one = [...bought, cancelOrder(), voided('1', 'refunded')];
    expect(after(...one)).to.deep.equal(['VOID_REQUESTED', ['voided', 'void_requested'], 'paid']);
    const both = past(...one).when(voided('2', 'refunded'));
    expect(typesOf(both)).to.deep.equal(['LabelVoidAccepted', 'LabelVoided', 'ChargesSet', 'RefundBegun']);
    expect(after(...one, voided('2', 'refunded'))).to.deep.equal(['VOIDED', ['voided', 'voided'], 'refunded']);
    expect(past(...one, voided('2', 'refunded')).when(cancelOrder()).facts).to.deep.equal([]);
    expect(past(...one).when(cancelOrder()).facts).to.deep.equal([]);
  });

  it('refunds when the carrier accepts the request, if the account says so', () => {
    const bought = [createOrder({ pays: true }), paid(), purchased()];
    const later = [...bought, cancelOrder(), voided('1', 'submitted')];
    expect(after(...later)).to.deep.equal(['VOID_REQUESTED', ['void_requested'], 'paid']);
    const report = (status: 'refunded' | 'rejected') => command({ do: 'report_void', shipment: '1', status });
    expect(after(...later, report('refunded'))).to.deep.equal(['VOIDED', ['voided'], 'refunded']);
    expect(after(...later, report('rejected'))).to.deep.equal(['LABEL_PURCHASED', ['purchased'], 'paid']);
    const early = [...bought, cancelOrder({ refundOn: 'submitted' }), voided('1', 'submitted')];
    expect(after(...early)).to.deep.equal(['VOID_REQUESTED', ['void_requested'], 'refunded']);
    expect(typesOf(past(...early).when(report('refunded')))).to.deep.equal(['LabelVoided']);
  });

  it('returns to the previous state when the carrier refuses the void', () => {
    const refusedVoid = [createOrder(), purchased(), cancelOrder(), voidRefused('1')];
    expect(after(...refusedVoid)).to.deep.equal(['LABEL_PURCHASED', ['purchased'], 'unpaid']);
    expect(typesOf(past(...refusedVoid).when(cancelOrder()))).to.deep.equal(['LabelVoidRequested', 'LabelVoidBegun']);
  });

  it('voids one package of an order', () => {
    const bought = [createOrder({ packages: 2 }), purchased('1'), purchased('2')];
    const one = [...bought, cancelOrder({ packageId: '1' })];
    expect(after(...one)).to.deep.equal(['LABEL_PURCHASED', ['void_requested', 'purchased'], 'unpaid']);
    expect(after(...one, voided('1', 'refunded'))).to.deep.equal([
      'LABEL_PURCHASED',
      ['voided', 'purchased'],
      'unpaid',
    ]);
    const all = [...one, voided('1', 'refunded'), cancelOrder(), voided('2', 'not_applicable')];
    expect(after(...all)[0]).to.equal('VOIDED');
    const whole = [createOrder({ packages: 2, whole: true }), purchased('order', 1, ['1', '2'])];
    expect(refusal(whole, cancelOrder({ packageId: '1' }))).to.equal('NOT_VOIDABLE');
  });

  it('cancels an order without labels', () => {
    const failed = [createOrder(), refused()];
    expect(typesOf(past(...failed).when(cancelOrder()))).to.deep.equal(['LabelOrderCancelled', 'ChargesSet']);
    expect(after(...failed, cancelOrder())).to.deep.equal(['CANCELLED', ['failed'], 'paid']);
  });

  it('voids no label that the carrier uses', () => {
    const bought = [createOrder(), purchased()];
    expect(refusal([...bought, scanned('picked_up')], cancelOrder())).to.equal('LABEL_IN_USE');
    expect(refusal([...bought, scanned('information_submitted')], cancelOrder())).to.equal(undefined);
    expect(refusal([...bought, command({ do: 'join_manifest', manifestId: 4 })], cancelOrder())).to.equal(
      'LABEL_IN_USE',
    );
    expect(refusal(bought, cancelOrder({ canVoid: false }))).to.equal('NOT_VOIDABLE');
    const partly = [createOrder({ packages: 2 }), refused('1'), purchased('2'), scanned('picked_up', '2')];
    expect(after(...partly)[0]).to.equal('LABEL_PURCHASE_FAILED');
    expect(refusal(partly, cancelOrder()), 'in the hands of the carrier').to.equal('LABEL_IN_USE');
    const two = [createOrder({ packages: 2 }), purchased('1'), purchased('2'), scanned('out_for_delivery')];
    expect(refusal(two, cancelOrder())).to.equal('LABEL_IN_USE');
    expect(refusal(two, cancelOrder({ packageId: '1' }))).to.equal('LABEL_IN_USE');
    expect(refusal(two, cancelOrder({ packageId: '2' }))).to.equal(undefined);
  });

  it('follows the scans of the carrier', () => {
    const bought = [createOrder({ packages: 2 }), purchased('1'), purchased('2')];
    const states = (...scans: LabelCommand[]) => after(...bought, ...scans)[0];
    const at = (hour: number) => `2027-03-01T${String(hour).padStart(2, '0')}:00:00.000Z`;
    expect(states(scanned('picked_up'))).to.equal('IN_TRANSIT');
    expect(states(scanned('picked_up'), scanned('out_for_delivery', '1', at(10)))).to.equal('OUT_FOR_DELIVERY');
    expect(states(scanned('picked_up'), scanned('delivery_failed', '1', at(10)))).to.equal('EXCEPTION');
    expect(states(scanned('delivered'))).to.equal('IN_TRANSIT');
    expect(states(scanned('delivered'), scanned('delivered', '2'))).to.equal('DELIVERED');
    expect(states(scanned('return_to_sender'), scanned('return_to_sender', '2'))).to.equal('RETURNED');
    expect(states(scanned('out_for_delivery', '1', at(12)), scanned('picked_up', '1', at(9)))).to.equal(
      'OUT_FOR_DELIVERY',
    );
  });

  it('labels R7: is in one manifest at a time', () => {
    const bought = [createOrder(), purchased()];
    const join = (manifestId: number) => command({ do: 'join_manifest', manifestId });
    const joined = [...bought, join(4)];
    expect(refusal(joined, join(5))).to.equal('LABEL_IN_USE');
    expect(past(...joined).when(join(4)).facts).to.deep.equal([]);
    const left = [...joined, command({ do: 'leave_manifest', manifestId: 4, why: 'NO_SUCH_LABEL' })];
    expect(after(...left)[0]).to.equal('LABEL_PURCHASED');
    expect(refusal(left, join(5))).to.equal(undefined);
    const confirmed = [...joined, command({ do: 'confirm_manifest', manifestId: 4, carrierReference: 'M4' })];
    expect(after(...confirmed)[0]).to.equal('SUBMITTED');
    expect(after(...confirmed, cancelOrder())[0]).to.equal('VOID_REQUESTED');
    expect(after(...bought, command({ do: 'submit_information' }))[0]).to.equal('SUBMITTED');
    expect(refusal([createOrder()], join(4))).to.equal('NO_LABEL');
  });

  it('takes no payment for an order that is being cancelled', () => {
    const voiding = [createOrder(), purchased(), cancelOrder()];
    expect(refusal(voiding, bill(pay(3)))).to.equal('ORDER_CLOSED');
    expect(refusal([createOrder(), purchased()], bill(pay(3)))).to.equal(undefined);
  });
});

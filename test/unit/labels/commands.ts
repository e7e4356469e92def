/** Commands to a label order, for tests. */
import type { BillChange } from '../../../src/commands/bill/command.js';
import type { CreateLabelOrder, LabelChange, LabelCommand } from '../../../src/commands/labels/command.js';
import { labels } from '../../../src/commands/labels/decider.js';
import { effectIdFor } from '../../../src/events/effects/effect-id.js';
import type { EffectRecord } from '../../../src/events/effects/records.js';
import { LABEL_PURCHASE, LABEL_VOID, type LabelVoidStatus } from '../../../src/events/labels/effects.js';
import { labelStream, type NewLabelOrder } from '../../../src/events/labels/events.js';
import { chargesOf, CUSTOMER, idOf } from '../bills/commands.js';
import { given } from '../../support/checks/given.js';

export const ORDER = 3;
export const past = (...commands: readonly LabelCommand[]) => given(labels, ...commands);
let commands = 0;
export const command = (change: LabelChange, more: { business?: number } = {}): LabelCommand => ({
  commandId: `label command ${(commands += 1)}`,
  orderId: ORDER,
  business: 1,
  by: 2,
  ...change,
  ...more,
});

const stop = { name: 'Ada Lovelace', street: 'Main 1', city: 'Berlin', postal_code: '10115', country: 'DE' };
export const orderData = (packages = 1, whole = false): CreateLabelOrder['order'] => {
  const ids = Array.from({ length: packages }, (_, n) => String(n + 1));
  return {
    account_id: 5,
    adapter: 'double',
    method_id: 9,
    method_code: 'express',
    method_name: 'Express',
    carrier: 'Double',
    ship_date: '2027-03-01',
    from: stop,
    to: stop,
    packages: ids.map((package_id) => ({ package_id, weight_kg: 1 })),
    options: {},
    label_format: 'pdf',
    label_size: '4x6',
    customer_id: CUSTOMER,
    shipments: (whole
      ? [{ about: 'order', packages: ids }]
      : ids.map((about) => ({ about, packages: [about] }))) satisfies { about: string; packages: string[] }[] as never,
  } as Omit<NewLabelOrder, 'order_id' | 'business' | 'created_by'>;
};

export const createOrder = ({ packages = 1, price = '10', pays = false, whole = false } = {}): LabelCommand => {
  const order = orderData(packages, whole);
  return command({
    do: 'create',
    order: { ...order, shipments: order.shipments.map((one) => ({ ...one, digest: `digest ${one.about}` })) },
    ...(price !== '' && { agreed: { charges: chargesOf(price), settlement: 'online' } }),
    ...(pays && { payment: { paymentId: idOf(1), accountId: CUSTOMER } }),
  });
};
export const paid = (failure?: 'INSUFFICIENT_FUNDS', paymentId: string = idOf(1)): LabelCommand =>
  command({ do: 'conclude_payment', paymentId, ...(failure && { failure }) } as BillChange);

const step = (kind: string, about: string, attempt: number, record: EffectRecord): LabelCommand => ({
  do: 'effect',
  kind,
  effectId: effectIdFor({ stream: labelStream(ORDER), kind, about, attempt }),
  record,
});
export const purchased = (about = '1', attempt = 1, packages = [about]): LabelCommand =>
  step(LABEL_PURCHASE.kind, about, attempt, {
    step: 'done',
    result: {
      remote_id: `shp_${about}`,
      carrier: 'Double',
      service: 'Express',
      cost: '7.50',
      currency: 'EUR',
      packages: packages.map((package_id) => ({ package_id, tracking_number: `TRACK${package_id}` })),
    },
  });
export const refused = (about = '1', attempt = 1, code = 'RATE_GONE'): LabelCommand =>
  step(LABEL_PURCHASE.kind, about, attempt, { step: 'refused', code, text: 'No such rate for Ada', final: true });
export const leftOpen = (about = '1', attempt = 1): LabelCommand =>
  step(LABEL_PURCHASE.kind, about, attempt, { step: 'left_open', cause: 'timeout' });
export const buyAgain = (payment?: string): LabelCommand =>
  command({ do: 'purchase', ...(payment && { payment: { paymentId: payment, accountId: CUSTOMER } }) });

export const cancelOrder = ({
  packageId = undefined as string | undefined,
  canVoid = true,
  refundOn = 'refunded' as 'refunded' | 'submitted',
} = {}): LabelCommand =>
  command({
    do: 'cancel',
    packageId,
    canVoid,
    refundOn,
    reason: 'Ada has changed her mind',
    digests: { 1: 'void 1', 2: 'void 2', order: 'void order' },
  });
export const voided = (about: string, status: LabelVoidStatus, attempt = 1): LabelCommand =>
  step(LABEL_VOID.kind, about, attempt, { step: 'done', result: { status } });
export const voidRefused = (about: string, attempt = 1): LabelCommand =>
  step(LABEL_VOID.kind, about, attempt, { step: 'refused', code: 'NOT_VOIDABLE', final: true });
export const scanned = (status_code: string, packageId = '1', instant = '2027-03-01T09:00:00.000Z'): LabelCommand =>
  command({ do: 'follow_scan', packageId, statusCode: status_code, instant, scan: idOf(77) });

/** Random commands to label orders. */
import type { BillChange } from '../../../../../src/commands/bill/command.js';
import type { LabelChange } from '../../../../../src/commands/labels/command.js';
import { labels } from '../../../../../src/commands/labels/decider.js';
import { effectIdFor } from '../../../../../src/events/effects/effect-id.js';
import type { EffectRecord } from '../../../../../src/events/effects/records.js';
import { LABEL_PURCHASE, LABEL_VOID } from '../../../../../src/events/labels/effects.js';
import { labelStream } from '../../../../../src/events/labels/events.js';
import { derivedId } from '../../../../../src/events/otep/identity.js';
import { generator, rarely, type Act, type Tools } from '../generator.js';
import type { Pick } from '../pick.js';

const PACKAGES = ['1'] as const;
const paymentOf = (id: number, n: number): string => derivedId('mix label payment', id, n);
const zero = '0.00';
const chargesOf = (total: string) => ({
  currency: 'EUR',
  lines: [{ code: 'label', kind: 'charge' as const, amount: total, taxable: false }],
  subtotal: total,
  surchargeAmount: zero,
  taxAmount: zero,
  total,
});

const send = (tools: Tools, id: number, change: LabelChange) =>
  tools.send(labels, labelStream(id), { ...change, orderId: id, business: tools.business, by: 2 } as never);
const act =
  (change: (tools: Tools, pick: Pick, id: number) => LabelChange): Act =>
  (tools, pick) => {
    const id = tools.existing(pick);
    return send(tools, id, change(tools, pick, id));
  };
const step =
  (kind: string, record: (pick: Pick, about: string) => EffectRecord): Act =>
  (tools, pick) => {
    const id = tools.existing(pick);
    const about = pick.one(...PACKAGES);
    const effectId = effectIdFor({ stream: labelStream(id), kind, about, attempt: pick.of(4) === 1 ? 2 : 1 });
    return tools.send(labels, labelStream(id), { do: 'effect', kind, effectId, record: record(pick, about) } as never);
  };
const stop = (pick: Pick) => ({ name: `Person ${pick.of(9)}`, street: 'Main 1', city: 'Berlin', country: 'DE' });

function create(tools: Tools, pick: Pick, id: number) {
  const price = pick.of(4) === 1 ? undefined : `${pick.of(9)}.50`;
  return send(tools, id, {
    do: 'create',
    order: {
      customer_id: tools.id(1),
      account_id: pick.of(2),
      adapter: 'double',
      method_id: pick.of(9),
      method_code: 'express',
      method_name: 'Express',
      carrier: 'Double',
      ship_date: tools.date,
      from: stop(pick),
      to: stop(pick),
      packages: PACKAGES.map((package_id) => ({ package_id, weight_kg: pick.of(9) })),
      options: {},
      label_format: pick.one('pdf', 'png', 'zpl'),
      label_size: pick.one('4x6', 'a6', 'a4'),
      shipments: PACKAGES.map((about) => ({ about, packages: [about], digest: `digest ${about}` })),
    },
    ...(price !== undefined && { agreed: { charges: chargesOf(price), settlement: 'online' as const } }),
    ...(price !== undefined &&
      pick.of(4) === 1 && { payment: { paymentId: paymentOf(id, 1), accountId: tools.id(1) } }),
  });
}

const boughtRecord = (pick: Pick, about: string): EffectRecord => ({
  step: 'done',
  result: {
    remote_id: `shp_${pick.of(9)}`,
    carrier: 'Double',
    service: 'Express',
    cost: '4.20',
    currency: 'EUR',
    packages: [
      {
        package_id: about,
        tracking_number: `MIX${pick.of(1_000_000)}`,
        ...(pick.of(2) === 1 && {
          label: { file_id: derivedId('mix file', pick.of(9)), format: 'pdf', media_type: 'application/pdf', bytes: 9 },
        }),
      },
    ],
  },
});

/** Records a step of the first attempt. */
const record = (tools: Tools, id: number, kind: string, step: EffectRecord) => {
  const effectId = effectIdFor({ stream: labelStream(id), kind, about: '1', attempt: 1 });
  return tools.send(labels, labelStream(id), { do: 'effect', kind, effectId, record: step } as never);
};

/** A new order with a label. */
async function boughtOrder(tools: Tools, pick: Pick): Promise<number> {
  const id = tools.fresh();
  await create(tools, pick, id);
  await send(tools, id, { do: 'conclude_payment', paymentId: paymentOf(id, 1) }).catch(() => undefined);
  await record(tools, id, LABEL_PURCHASE.kind, boughtRecord(pick, '1'));
  return id;
}

export const MIX = generator({
  create: (tools, pick) => create(tools, pick, tools.fresh()),
  conclude: act((_tools, pick, id) => ({
    do: 'conclude_payment',
    paymentId: paymentOf(id, pick.of(2)),
    ...(pick.of(4) === 1 && { failure: 'INSUFFICIENT_FUNDS' as const }),
  })),
  reserve: step(LABEL_PURCHASE.kind, (pick) => ({ step: 'reserved', remoteId: `shp_${pick.of(9)}` })),
  bought: step(LABEL_PURCHASE.kind, boughtRecord),
  refuse: (tools, pick) =>
    rarely(pick, 8, async () =>
      step(LABEL_PURCHASE.kind, () => ({ step: 'refused', code: 'NO_RATE', text: 'Ada', final: true }))(tools, pick),
    ) as never,
  leaveOpen: (tools, pick) =>
    rarely(pick, 8, async () =>
      step(LABEL_PURCHASE.kind, () => ({ step: 'left_open', cause: 'timeout' }))(tools, pick),
    ) as never,
  async buyAgain(tools, pick) {
    const id = tools.fresh();
    await create(tools, pick, id);
    await send(tools, id, { do: 'conclude_payment', paymentId: paymentOf(id, 1) }).catch(() => undefined);
    await record(tools, id, LABEL_PURCHASE.kind, { step: 'refused', code: 'NO_RATE', text: 'Ada', final: true });
    const payment = { paymentId: paymentOf(id, 2), accountId: tools.id(1) };
    return send(tools, id, { do: 'purchase', ...(pick.of(2) === 1 && { payment }) });
  },
  storeLabel: act((_tools, pick) => ({
    do: 'store_label',
    packageId: pick.one(...PACKAGES),
    label: { file_id: derivedId('mix file', pick.of(9)), format: 'pdf', media_type: 'application/pdf', bytes: 7 },
  })),
  charge: act((_tools, pick) => ({ do: 'set_charges', charges: chargesOf(`${pick.of(9)}.00`) })),
  pay: act((tools, _pick, id) => ({ do: 'begin_payment', paymentId: paymentOf(id, 2), accountId: tools.id(1) })),
  refund: act((_tools, pick, id): BillChange => ({
    do: 'begin_refund',
    refundId: derivedId('mix label refund', id, pick.of(9)),
    paymentId: paymentOf(id, pick.of(2)),
    amount: '0.10',
    to: pick.one('wallet', 'outside'),
    reason: `Reason ${pick.of(9)}`,
  })),
  join: act((_tools, pick) => ({ do: 'join_manifest', manifestId: pick.of(3) })),
  leave: act((_tools, pick) => ({ do: 'leave_manifest', manifestId: pick.of(3), why: 'REFUSED' })),
  async confirm(tools, pick) {
    const id = await boughtOrder(tools, pick);
    const manifestId = pick.of(3);
    await send(tools, id, { do: 'join_manifest', manifestId });
    return send(tools, id, { do: 'confirm_manifest', manifestId, carrierReference: `M${pick.of(9)}` });
  },
  submit: (tools, pick) =>
    rarely(pick, 3, () => send(tools, tools.existing(pick), { do: 'submit_information' })) as never,
  scan: (tools, pick) =>
    rarely(pick, 8, () =>
      send(tools, tools.existing(pick), {
        do: 'follow_scan',
        packageId: pick.one(...PACKAGES),
        statusCode: pick.one('picked_up', 'in_transit', 'out_for_delivery', 'delivered', 'delivery_failed'),
        instant: new Date(tools.now).toISOString(),
        scan: derivedId('mix scan', pick.of(1_000)),
      }),
    ) as never,
  cancel: (tools, pick) =>
    rarely(pick, 3, () =>
      send(tools, tools.existing(pick), {
        do: 'cancel',
        packageId: pick.of(3) === 1 ? '1' : undefined,
        reason: `Reason ${pick.of(9)}`,
        refundOn: pick.one('refunded', 'submitted'),
        canVoid: true,
        digests: { 1: 'one', 2: 'two' },
      }),
    ) as never,
  void: step(LABEL_VOID.kind, (pick) => ({
    step: 'done',
    result: { status: pick.one('submitted', 'submitted', 'submitted', 'refunded', 'rejected', 'not_applicable') },
  })),
  refuseVoid: step(LABEL_VOID.kind, () => ({ step: 'refused', code: 'NOT_VOIDABLE', final: true })),
  async report(tools, pick) {
    const id = await boughtOrder(tools, pick);
    await send(tools, id, { do: 'cancel', refundOn: 'refunded', canVoid: true, digests: { 1: 'one' } });
    await record(tools, id, LABEL_VOID.kind, { step: 'done', result: { status: 'submitted' } });
    return send(tools, id, { do: 'report_void', shipment: '1', status: pick.one('refunded', 'rejected') });
  },
});

/** Cancels label orders: voids their labels at the carrier. */
import { z } from 'zod';
import { DomainError } from '../../../commands/core/domain-error.js';
import type { Handle } from '../../../commands/core/handle.js';
import type { LabelCommand, LabelReply } from '../../../commands/labels/command.js';
import type { LabelReader } from '../../../commands/labels/reader.js';
import { voidRequestOf } from './label-requests.js';
import type { LabelState } from '../../../commands/labels/state.js';
import { VOID_STATUSES } from '../../../events/labels/effects.js';
import { localDate } from '../../../events/core/local-time.js';
import { labelStream } from '../../../events/labels/events.js';
import type { LabelShipment } from '../../../events/labels/order.js';
import { hasLabel, isVoiding } from '../../../events/labels/state.js';
import type { LabelQueries } from '../../../projections/labels/queries.js';
import { businessOf, userOf } from '../../core/callers.js';
import { invalidForm } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';
import { versionOf } from '../../core/versions.js';
import { CUSTOMERS_GET, shownFailure } from './carrier-codes.js';
import { labelOrderName, namedLabelOrder, type LabelOrderName } from './label-reading.js';
import { LABEL_AWAITS } from './label-writing.js';
import type { PlaceLabelOrderOptions, PlaceLabelOrders } from './place-label-order.js';
import { LABEL_WRITERS } from './viewer.js';

export interface LabelCancellingOptions
  extends
    Pick<PlaceLabelOrders, 'performOpen'>,
    Pick<PlaceLabelOrderOptions, 'accounts' | 'adapterOf' | 'expectAvailable' | 'digestOf'> {
  readonly handle: Handle<LabelCommand, LabelReply>;
  readonly read: LabelReader;
  readonly queries: LabelQueries;
  /** Records what the carrier reports about voids that it had accepted. */
  readonly refreshVoids: (orderId: number) => Promise<void>;
}

const voidOutput = z
  .object({
    package_id: z.string(),
    void_status: z
      .enum(['none', 'requested', 'refused', ...VOID_STATUSES])
      .describe('`submitted`: the carrier decides later. `not_applicable`: the carrier charged nothing.'),
    failure_code: z
      .string()
      .nullable()
      .describe(`Why the carrier refused the void: for staff, the code of the carrier. ${CUSTOMERS_GET}`),
  })
  .meta({ id: 'LabelVoid' });

export function labelCancelling(options: LabelCancellingOptions): Operation {
  const { performOpen, accounts, adapterOf, expectAvailable, digestOf, handle, read, queries, refreshVoids } = options;

  const streamOf = async (input: LabelOrderName, caller: Parameters<typeof namedLabelOrder>[1]) => {
    const found = await namedLabelOrder(queries, caller, input).catch(() => undefined);
    return found && labelStream(found.id);
  };

  return operation({
    name: 'labelOrderCancel',
    fixed: { name: 'labelserviceCancelShippingLabel', method: 'post', path: '/v1/labelservice/cancelShippingLabel' },
    area: 'LabelService',
    summary: 'Cancel a label order and void its labels',
    description:
      'Voids all labels of the order, also if it is named by the number of one package, unless `package_only` is true. An order without labels is cancelled. When the carrier has confirmed all voids, or already when it has accepted them if the carrier account says so, the order costs nothing and the payment returns to the wallet. A repetition changes nothing and returns the current status.',
    rest: { method: 'post', path: '/v1/label-orders/cancel' },
    callers: LABEL_WRITERS,
    scopes: ['labels:write'],
    risk: 'high',
    confirm: true,
    writes: true,
    versioned: versionOf((input, caller) => streamOf(input as LabelOrderName, caller)),
    returns: { read: 'labelOrder' },
    reads: ['labels', 'carrier_accounts'],
    awaits: LABEL_AWAITS,
    answers: {
      404: 'There is no such label order.',
      409: '`LABEL_IN_USE`: the carrier has the parcel, or is processing its manifest; for customers also after the `ship_date` of a carrier that reports no scans. `NOT_VOIDABLE`: the carrier cannot void labels, or not a single package. `PURCHASE_IN_PROGRESS`, `PAYMENT_IN_PROGRESS`: an attempt is not finished. `NO_LABEL`: the package has no label. `TOO_MANY_ATTEMPTS`: no attempts are left.',
      503: '`CARRIER_UNAVAILABLE`: the carrier has not responded several times. Try again after `Retry-After`.',
    },
    input: z.object({
      ...labelOrderName,
      package_only: z
        .boolean()
        .default(false)
        .describe('With `tracking_number`: void only the label of this package. The charges stay the same.'),
      reason: z.string().trim().min(1).max(255).optional(),
    }),
    output: z.object({ result: z.boolean(), order_id: z.int(), voids: z.array(voidOutput) }),
    async run({ package_only, reason, ...name }, { caller, cause, commandId, time, wrote }) {
      const { id: orderId, labels } = await namedLabelOrder(queries, caller, name);
      if (package_only && name.tracking_number === undefined)
        throw invalidForm('tracking_number', 'present with `package_only`');
      const packageId = package_only
        ? labels.packages.find(({ tracking_number }) => tracking_number === name.tracking_number)?.package_id
        : undefined;
      const business = businessOf(caller);
      const stream = labelStream(orderId);
      const { state, created } = await read(stream);
      const account = await accounts.byId(created!.account_id, business);
      const adapter = account && adapterOf(account.adapter);
      const canVoid = adapter?.void !== undefined;
      const hasAny = state.order.shipments.some((one) => hasLabel(one) && !isVoiding(one));
      const { role, timezone } = userOf(caller);
      // Nothing reports that such a carrier has the parcel, so only the office decides after the day of the hand-over.
      const isUntracked = adapter?.capabilities.tracking.length === 0;
      if (hasAny && isUntracked && role === 'customer' && created!.ship_date < localDate(time, timezone))
        throw new DomainError('LABEL_IN_USE');
      if (account && hasAny) expectAvailable(account);
      const command = {
        do: 'cancel' as const,
        commandId,
        orderId,
        business,
        by: userOf(caller).userId,
        packageId,
        reason,
        canVoid,
        refundOn: account?.refund_on ?? ('refunded' as const),
        digests: digestsOf(orderId, state),
      };
      const { reply, changed, position } = await handle(stream, command, cause);
      wrote(position);
      const answer = (shipments: readonly LabelShipment[]) => ({
        result: true,
        order_id: orderId,
        voids: shipments.flatMap((one) => toVoids(one, { isCustomer: caller.role === 'customer' })),
      });
      if (cause.dryRun) return answer(reply.order.shipments);
      if (!changed) await refreshVoids(orderId);
      const after = await performOpen(stream, (await read(stream)).state, { cause, commandId, wrote, time }, changed);
      return answer(after.order.shipments);
    },
  });

  /** Keyed digests of the voids, by shipment. */
  function digestsOf(orderId: number, { order }: LabelState): Readonly<Record<string, string>> {
    return Object.fromEntries(
      order.shipments.flatMap(({ about }) => {
        const request = voidRequestOf(orderId, order, about);
        return request ? [[about, digestOf(request)]] : [];
      }),
    ) as Readonly<Record<string, string>>;
  }
}

function toVoids(
  { packages, void: attempt }: LabelShipment,
  to: { readonly isCustomer: boolean },
): z.infer<typeof voidOutput>[] {
  const status =
    attempt === undefined
      ? 'none'
      : attempt.step === 'refused'
        ? 'refused'
        : attempt.ended === 'rejected'
          ? 'rejected'
          : attempt.ended === 'voided' && attempt.status === 'submitted'
            ? 'refunded'
            : (attempt.status ?? 'requested');
  const failure_code = attempt?.code === undefined ? null : shownFailure(attempt.code, to);
  return packages.map((package_id) => ({ package_id, void_status: status, failure_code }));
}

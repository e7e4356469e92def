/**
 * Executes the due steps of a transfer, each in the stream of its parcel's order, and records them. Command ids are
 * derived from transfer, step and parcel. So steps can be repeated after a crash, and completed steps are not executed
 * twice.
 */
import { orderStream, type SiteOfScan } from '../../events/orders/events.js';
import type { Position } from '../../events/core/log.js';
import { instantAt } from '../../events/otep/time.js';
import { derivedId } from '../../events/otep/identity.js';
import { transferStream } from '../../events/transfers/events.js';
import { duesOf, type TransferState } from '../../events/transfers/state.js';
import { DomainError } from '../core/domain-error.js';
import type { Cause, Handle } from '../core/handle.js';
import type { OrderCommand, OrderReply } from '../orders/decider.js';
import type { StepOutcome, TransferCommand } from './decider.js';

export interface ExecuteTransferOptions {
  readonly transfers: Handle<TransferCommand, TransferState>;
  readonly orders: Handle<OrderCommand, OrderReply>;
  readonly siteOf: (warehouse: number, business: number) => Promise<SiteOfScan>;
  readonly now: () => number;
}

export interface TransferRef {
  readonly id: number;
  readonly business: number;
  /** The user who sent the request. Absent: the repair finishes the transfer. */
  readonly by?: number | undefined;
}

/** Runs until no step is due. Returns the transfer after that, and the positions of all writes. */
export type ExecuteTransfer = (
  transfer: TransferRef,
  cause: Cause,
) => Promise<{ readonly state: TransferState; readonly positions: readonly (Position | undefined)[] }>;

export function createExecuteTransfer({ transfers, orders, siteOf, now }: ExecuteTransferOptions): ExecuteTransfer {
  return async ({ id, business, by }, cause) => {
    const positions: (Position | undefined)[] = [];
    const send = async (change: Pick<TransferCommand, 'do'>, commandId: string) => {
      const command = { ...change, id, business, commandId } as TransferCommand;
      const { reply, position } = await transfers(transferStream(id), command, cause);
      positions.push(position);
      return reply;
    };
    let state = await send({ do: 'look' }, derivedId('look', id));
    for (let dues = duesOf(state); dues.length > 0; dues = duesOf(state)) {
      const [from, to] = await Promise.all([siteOf(state.from, business), siteOf(state.to, business)]);
      const at = now();
      const outcomes = await Promise.all(
        dues.map(async ({ tracking_number, order_id, step }): Promise<StepOutcome> => {
          const command: OrderCommand = {
            do: 'transfer',
            step,
            transferId: id,
            commandId: derivedId('transfer', id, step, tracking_number),
            orderId: order_id,
            business,
            ...(by !== undefined && { by }),
            tracking_number,
            from: { warehouse: state.from, site: from },
            to: { warehouse: state.to, site: to },
            occurred_at: new Date(at).toISOString(),
            instant: instantAt(at),
          };
          try {
            positions.push((await orders(orderStream(order_id), command, cause)).position);
            return { tracking_number, step };
          } catch (error) {
            if (!(error instanceof DomainError)) throw error;
            return { tracking_number, step, code: error.code };
          }
        }),
      );
      const done = derivedId(
        'recorded',
        id,
        ...outcomes.map(({ tracking_number, step }) => `${step} ${tracking_number}`),
      );
      state = await send({ do: 'record', outcomes } as never, done);
    }
    return { state, positions };
  };
}

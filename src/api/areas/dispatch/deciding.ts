/**
 * Decisions on items. An action runs the existing operation with the permissions of the caller. The operation runs
 * first; then the decision is recorded with its outcome. A retry after a crash in between detects the events of the
 * operation and repeats neither step.
 */
import type { DispatchCommand } from '../../../commands/dispatch/decider.js';
import type { Guards } from '../../../commands/dispatch/guards.js';
import type { Handle } from '../../../commands/core/handle.js';
import type { OrderCommand } from '../../../commands/orders/decider.js';
import type { RouteCommand } from '../../../commands/routes/decider.js';
import type { DispatchClaims } from '../../../engines/postgres/dispatch-claims.js';
import { isAction, type ActionName, type Contacted, type DecisionName } from '../../../events/dispatch/decisions.js';
import { dispatchStream } from '../../../events/dispatch/events.js';
import type { ItemHistory } from '../../../events/dispatch/item-state.js';
import { derivedId } from '../../../events/otep/identity.js';
import { seenOf } from '../../../projections/dispatch/board.js';
import type { BoardView, ItemRow } from '../../../projections/dispatch/sources/source.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError, withPathPrefix, invalidForm } from '../../core/errors.js';
import { innerCall } from '../../core/inner-call.js';
import type { Context, Operation } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';
import { toApiError } from '../../core/problem.js';
import { actionOf, isOnOrders } from './actions.js';
import type { Desk } from './desk.js';
import { deskOf } from './desk.js';
import { subjectOf } from './subject.js';

export interface Wanted {
  readonly item: string;
  readonly seen: string;
  readonly decision: DecisionName;
  readonly until?: string | undefined;
  readonly note?: string | undefined;
  readonly contacted?: Contacted | undefined;
  readonly takeOver: boolean;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface Decided {
  readonly decisionId: string;
  readonly standing: ItemHistory;
}

export interface DecidingOptions extends Parts<'log' | 'invoke'> {
  readonly handle: Handle<DispatchCommand, ItemHistory>;
  readonly desk: Pick<Desk, 'today' | 'viewOf' | 'show'>;
  /** The item in its current state; throws ITEM_GONE. */
  readonly find: (view: BoardView, item: string) => Promise<ItemRow>;
  readonly standing: (view: BoardView, desk: number, item: string) => Promise<ReadonlyMap<string, ItemHistory>>;
  readonly guards: Guards;
  readonly claims: DispatchClaims;
  readonly operation: (name: string) => Operation;
}

type Outcome = NonNullable<NonNullable<ItemHistory['decided']>['outcome']>;

export type Decide = (wanted: Wanted, context: Context) => Promise<Decided>;

/** Throws ITEM_GONE, ITEM_CHANGED, ITEM_TAKEN, and errors for missing permissions or invalid input. */
export function createDecide(options: DecidingOptions): Decide {
  const { handle, desk, find, standing, guards, claims, log, invoke, operation } = options;

  return async (wanted, context) => {
    const { caller, commandId, cause } = context;
    const decisionId = derivedId('decision', commandId);
    const subject = subjectOf(wanted.item);
    const view = await desk.viewOf(caller);
    checkWanted(wanted, view);
    const { decision } = wanted;

    if (!isAction(decision)) {
      const row = await expectSeen(wanted, view, context);
      return record({ row });
    }
    // Actions exist only for orders and routes.
    if (subject.about === 'job') throw invalidForm('decision', 'a decision without an action, since the item is a job');
    const { id } = subject;
    if (await isCarriedOut(actionOf(decision).stream?.(id) ?? subject.stream, decisionId))
      return record({ outcome: { status: 'done' }, operation: actionOf(decision).operation });
    if (cause.dryRun) return once(decision);
    if (!(await claims.take(subject.stream, decisionId))) throw await changed(wanted, view, context);
    try {
      return await once(decision);
    } finally {
      await claims.release(subject.stream, decisionId);
    }

    async function once(action: ActionName): Promise<Decided> {
      const row = await expectSeen(wanted, view, context);
      await tell({ do: 'expect', takeOver: wanted.takeOver });
      const outcome = await carryOut(action, row);
      return record({ row, outcome, operation: actionOf(action).operation });
    }

    async function carryOut(action: ActionName, row: ItemRow): Promise<Outcome> {
      if (subject.about !== (isOnOrders(action) ? 'order' : 'route'))
        throw invalidForm('decision', `an action on ${subject.about === 'order' ? 'an order' : 'a route'}`);
      const { operation: name, input, perOrder } = actionOf(action);
      const target = operation(name);
      try {
        const { result, position } = await invoke(target, () => input(id, wanted.args, row.route_id), {
          ...innerCall(caller, cause, (header) => (header === 'accept-language' ? context.header(header) : undefined)),
          causationId: decisionId,
          command: { id: decisionId, time: context.time },
          ...(cause.dryRun && { dryRun: cause.dryRun }),
        });
        context.wrote(position);
        if (perOrder && !(result as { readonly result: boolean }).result)
          return { status: 'refused', code: await refusalOf(action, row) };
        return { status: 'done' };
      } catch (thrown) {
        const error = toApiError(thrown);
        // Only a refusal by the order or the route is an outcome. Invalid or forbidden requests throw immediately.
        if (error.status !== 404 && error.status !== 409) throw argumentError(error);
        return { status: 'refused', code: error.code };
      }
    }

    /** Code of a refusal by a bulk operation. Asks the decider of the item, because the response has only a text. */
    async function refusalOf(action: ActionName, { route_id }: ItemRow): Promise<string> {
      const { role, userId } = userOf(caller);
      const asked = {
        commandId: decisionId,
        business: businessOf(caller),
        by: userId,
        ...actionOf(action).asks(route_id, role === 'broker' ? userId : undefined),
        ...(typeof wanted.args['broker_id'] === 'number' && { brokerId: wanted.args['broker_id'] }),
        ...(typeof wanted.args['route_id'] === 'number' && { routeId: wanted.args['route_id'] }),
      };
      const code = isOnOrders(action)
        ? (await guards.orders([id])).get(id)!({ ...asked, orderId: id } as OrderCommand)
        : (await guards.routes([id])).get(id)!({ ...asked, routeId: id } as RouteCommand);
      return code ?? 'CONFLICT';
    }

    async function record(found: {
      readonly row?: ItemRow;
      readonly outcome?: Outcome;
      readonly operation?: string;
    }): Promise<Decided> {
      const reply = await tell({
        do: 'decide',
        // An executed action is recorded even if another user has taken the item in the meantime.
        takeOver: wanted.takeOver || found.outcome !== undefined,
        decision: {
          decision_id: decisionId,
          kind: subject.kind,
          subject: subject.stream,
          seen: wanted.seen,
          ...(found.row && { facts: found.row.facts as Record<string, unknown> }),
          decision,
          ...(wanted.until !== undefined && { until: wanted.until }),
          ...(wanted.contacted !== undefined && { contacted: wanted.contacted }),
          ...(found.operation !== undefined && { operation: found.operation }),
          ...(found.outcome && { outcome: found.outcome }),
          ...(wanted.note !== undefined && { note: wanted.note }),
        },
      });
      return { decisionId, standing: reply };
    }

    type Told = DispatchCommand extends infer C
      ? C extends DispatchCommand
        ? Omit<C, 'commandId' | 'item' | 'by' | 'desk' | 'now'>
        : never
      : never;

    async function tell(command: Told): Promise<ItemHistory> {
      const own = deskOf(caller);
      const { reply, position } = await handle(
        dispatchStream(view.business, view.date),
        {
          ...command,
          commandId,
          item: wanted.item,
          by: userOf(caller).userId,
          ...(own !== 0 && { desk: own }),
          now: context.time,
        } as DispatchCommand,
        cause,
      );
      if (command.do === 'decide') context.wrote(position);
      return reply;
    }
  };

  /** Whether an earlier attempt already executed the action: its events have the decision as their cause. */
  async function isCarriedOut(stream: string, decisionId: string): Promise<boolean> {
    for await (const { metadata } of log.read(stream)) if (metadata['$causationId'] === decisionId) return true;
    return false;
  }

  async function expectSeen(wanted: Wanted, view: BoardView, context: Context): Promise<ItemRow> {
    const row = await find(view, wanted.item);
    if (seenOf(row) !== wanted.seen) throw await changed(wanted, view, context, row);
    return row;
  }

  /** The error ITEM_CHANGED, with the current item. */
  async function changed({ item }: Wanted, view: BoardView, context: Context, known?: ItemRow): Promise<ApiError> {
    const row = known ?? (await find(view, item));
    const standings = await standing(view, deskOf(context.caller), item);
    const [shown] = await desk.show([row], standings, context);
    return new ApiError('ITEM_CHANGED', { members: { item: shown } });
  }
}

/** Moves the paths of errors below `/arguments`, where the input of the operation is in the request. */
const argumentError = (error: ApiError): ApiError => withPathPrefix(error, '/arguments');

/** Throws INVALID_INPUT for inconsistent members. */
function checkWanted({ decision, until, note, contacted, args }: Wanted, { now, dayEnd }: BoardView): void {
  const required = (field: string) =>
    new ApiError('INVALID_INPUT', { errors: [{ field, path: `/${field}`, code: 'REQUIRED' }] });
  if (decision === 'snooze' && until === undefined) throw required('expires_at');
  if (decision === 'leave' && note === undefined) throw required('note');
  if ((decision === 'contacted') !== (contacted !== undefined))
    throw contacted === undefined
      ? required('contacted')
      : invalidForm('contacted', 'absent unless `decision` is `contacted`');
  if (until !== undefined && (isAction(decision) || Date.parse(until) <= now || Date.parse(until) > Date.parse(dayEnd)))
    throw invalidForm('expires_at', 'a time later today, and absent where `decision` is an action');
  if (!isAction(decision) && Object.keys(args).length > 0)
    throw invalidForm('arguments', 'absent unless `decision` is an action');
}

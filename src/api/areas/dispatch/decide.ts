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
import { actionOf, isOrderAction } from './actions.js';
import type { DispatchAccess } from './dispatch-access.js';
import { deskOf } from './dispatch-access.js';
import { subjectOf } from './subject.js';

export interface DecisionRequest {
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
  readonly history: ItemHistory;
}

export interface DecideOptions extends Parts<'log' | 'invoke'> {
  readonly handle: Handle<DispatchCommand, ItemHistory>;
  readonly access: Pick<DispatchAccess, 'today' | 'viewOf' | 'show'>;
  /** The item in its current state; throws ITEM_GONE. */
  readonly findItem: (view: BoardView, item: string) => Promise<ItemRow>;
  readonly historiesOf: (view: BoardView, desk: number, item: string) => Promise<ReadonlyMap<string, ItemHistory>>;
  readonly guards: Guards;
  readonly claims: DispatchClaims;
  readonly operation: (name: string) => Operation;
}

type Outcome = NonNullable<NonNullable<ItemHistory['decided']>['outcome']>;

export type Decide = (request: DecisionRequest, context: Context) => Promise<Decided>;

/** Throws ITEM_GONE, ITEM_CHANGED, ITEM_TAKEN, and errors for missing permissions or invalid input. */
export function createDecide(options: DecideOptions): Decide {
  const { handle, access, findItem, historiesOf, guards, claims, log, invoke, operation } = options;

  return async (request, context) => {
    const { caller, commandId, cause } = context;
    const decisionId = derivedId('decision', commandId);
    const subject = subjectOf(request.item);
    const view = await access.viewOf(caller);
    checkRequest(request, view);
    const { decision } = request;

    if (!isAction(decision)) {
      const row = await expectCurrentVersion(request, view, context);
      return record({ row });
    }
    // Actions exist only for orders and routes.
    if (subject.about === 'job')
      throw invalidForm('decision', 'a decision without an action, because the item is a job');
    const { id } = subject;
    if (await isExecuted(actionOf(decision).stream?.(id) ?? subject.stream, decisionId))
      return record({ outcome: { status: 'done' }, operation: actionOf(decision).operation });
    if (cause.dryRun) return executeDecision(decision);
    if (!(await claims.take(subject.stream, decisionId))) throw await itemChangedError(request, view, context);
    try {
      return await executeDecision(decision);
    } finally {
      await claims.release(subject.stream, decisionId);
    }

    async function executeDecision(action: ActionName): Promise<Decided> {
      const row = await expectCurrentVersion(request, view, context);
      await send({ do: 'expect', takeOver: request.takeOver });
      const outcome = await execute(action, row);
      return record({ row, outcome, operation: actionOf(action).operation });
    }

    async function execute(action: ActionName, row: ItemRow): Promise<Outcome> {
      if (subject.about !== (isOrderAction(action) ? 'order' : 'route'))
        throw invalidForm('decision', `an action on ${subject.about === 'order' ? 'an order' : 'a route'}`);
      const { operation: name, input, perOrder } = actionOf(action);
      const target = operation(name);
      try {
        const { result, position } = await invoke(target, () => input(id, request.args, row), {
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
      const command = {
        commandId: decisionId,
        business: businessOf(caller),
        by: userId,
        ...actionOf(action).toCommand(route_id, role === 'broker' ? userId : undefined),
        ...(typeof request.args['broker_id'] === 'number' && { brokerId: request.args['broker_id'] }),
        ...(typeof request.args['route_id'] === 'number' && { routeId: request.args['route_id'] }),
      };
      const code = isOrderAction(action)
        ? (await guards.orders([id])).get(id)!({ ...command, orderId: id } as OrderCommand)
        : (await guards.routes([id])).get(id)!({ ...command, routeId: id } as RouteCommand);
      return code ?? 'CONFLICT';
    }

    async function record(found: {
      readonly row?: ItemRow;
      readonly outcome?: Outcome;
      readonly operation?: string;
    }): Promise<Decided> {
      const reply = await send({
        do: 'decide',
        // An executed action is recorded even if another user has taken the item in the meantime.
        takeOver: request.takeOver || found.outcome !== undefined,
        decision: {
          decision_id: decisionId,
          kind: subject.kind,
          subject: subject.stream,
          seen: request.seen,
          ...(found.row && { facts: found.row.facts as Record<string, unknown> }),
          decision,
          ...(request.until !== undefined && { until: request.until }),
          ...(request.contacted !== undefined && { contacted: request.contacted }),
          ...(found.operation !== undefined && { operation: found.operation }),
          ...(found.outcome && { outcome: found.outcome }),
          ...(request.note !== undefined && { note: request.note }),
        },
      });
      return { decisionId, history: reply };
    }

    type DispatchCommandBody = DispatchCommand extends infer C
      ? C extends DispatchCommand
        ? Omit<C, 'commandId' | 'item' | 'by' | 'desk' | 'now'>
        : never
      : never;

    async function send(command: DispatchCommandBody): Promise<ItemHistory> {
      const ownDesk = deskOf(caller);
      const { reply, position } = await handle(
        dispatchStream(view.business, view.date),
        {
          ...command,
          commandId,
          item: request.item,
          by: userOf(caller).userId,
          ...(ownDesk !== 0 && { desk: ownDesk }),
          now: context.time,
        } as DispatchCommand,
        cause,
      );
      if (command.do === 'decide') context.wrote(position);
      return reply;
    }
  };

  /** Whether an earlier attempt already executed the action: its events have the decision as their cause. */
  async function isExecuted(stream: string, decisionId: string): Promise<boolean> {
    for await (const { metadata } of log.read(stream)) if (metadata['$causationId'] === decisionId) return true;
    return false;
  }

  async function expectCurrentVersion(request: DecisionRequest, view: BoardView, context: Context): Promise<ItemRow> {
    const row = await findItem(view, request.item);
    if (seenOf(row) !== request.seen) throw await itemChangedError(request, view, context, row);
    return row;
  }

  /** The error ITEM_CHANGED, with the current item. */
  async function itemChangedError(
    { item }: DecisionRequest,
    view: BoardView,
    context: Context,
    currentRow?: ItemRow,
  ): Promise<ApiError> {
    const row = currentRow ?? (await findItem(view, item));
    const histories = await historiesOf(view, deskOf(context.caller), item);
    const [shown] = await access.show([row], histories, context);
    return new ApiError('ITEM_CHANGED', { members: { item: shown } });
  }
}

/** Moves the paths of errors below `/arguments`, where the input of the operation is in the request. */
const argumentError = (error: ApiError): ApiError => withPathPrefix(error, '/arguments');

/** Throws INVALID_INPUT for inconsistent members. */
function checkRequest({ decision, until, note, contacted, args }: DecisionRequest, { now, dayEnd }: BoardView): void {
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

/** Operations of dispatch. */
import { z } from 'zod';
import { CONTACTED, DECISIONS } from '../../../events/dispatch/decisions.js';
import { dispatchStream } from '../../../events/dispatch/events.js';
import { STATES, stateOf } from '../../../events/dispatch/item-state.js';
import type { SettingsCommand } from '../../../commands/dispatch/settings.js';
import type { Handle } from '../../../commands/core/handle.js';
import { DomainError } from '../../../commands/core/domain-error.js';
import { dispatchSettingsSchema, planningStream } from '../../../events/planning/events.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import { boardOperations, createFindItem, itemInput, READ, type BoardOptions } from './board.js';
import { createDecide, type DecideOptions } from './decide.js';
import { subjectOf } from './subject.js';
import { DECIDERS, deskOf } from './dispatch-access.js';
import { itemSchema, outcomeSchema } from './shapes.js';
import { decisionLog } from './decision-log.js';
import { settingsVersionSchema } from '../../core/versions.js';
import { PLANNING_VERSION } from '../plans/settings.js';

export interface DispatchOptions
  extends BoardOptions, Pick<DecideOptions, 'handle' | 'guards' | 'claims' | 'invoke' | 'operation'> {
  readonly settings: Handle<SettingsCommand, undefined>;
}

const WRITE = {
  area: 'Dispatch',
  callers: DECIDERS,
  scopes: ['routes:write'],
  awaits: ['dispatch_decisions'],
  writes: true,
} as const;
const NOT_FOUND = {
  404: '`ITEM_GONE`: the item does not exist, or is no longer on the board. `solved_by` contains the latest event of the order or route of the item, if the caller may see this event.',
};
const TAKEN_DESCRIPTION = 'Another user has taken the item (`ITEM_TAKEN`): see `taken_by` and `taken_at`.';
const { start_grace, ...thresholds } = dispatchSettingsSchema.shape;
const settingsSchema = z
  .object({ ...thresholds, start_grace_minutes: start_grace, version: settingsVersionSchema })
  .meta({ id: 'DispatchSettings' });
const note = z.string().trim().min(1).max(500).optional();

export function dispatchOperations(options: DispatchOptions): Operation[] {
  const { handle, settings, queries, access } = options;
  const findItem = createFindItem(options);
  const historiesOf: DecideOptions['historiesOf'] = ({ business, date }, ownDesk, item) =>
    queries.itemHistories(business, date, ownDesk, item);
  const decide = createDecide({ ...options, findItem, historiesOf });

  /** Creates an operation that takes, returns or reopens an item. The item must be on the board. */
  const itemOperation = (
    name: string,
    action: 'take' | 'return' | 'reopen',
    summary: string,
    members: { readonly note?: typeof note } = {},
  ) =>
    operation({
      ...WRITE,
      name,
      summary,
      rest: { method: 'post', path: `/v1/dispatch/items/:item_id/${action}` },
      answers: action === 'reopen' ? NOT_FOUND : { ...NOT_FOUND, 409: TAKEN_DESCRIPTION },
      input: z.object({ item_id: itemInput, ...members }),
      output: z.object({ result: z.boolean(), item: itemSchema }),
      async run(input, context) {
        const { item_id: item, note: noteText } = input as { readonly item_id: string; readonly note?: string };
        const { caller, commandId, cause, time, wrote } = context;
        const view = await access.viewOf(caller);
        const row = await findItem(view, item);
        const ownDesk = deskOf(caller);
        const { reply, position } = await handle(
          dispatchStream(view.business, view.date),
          {
            commandId,
            item,
            by: userOf(caller).userId,
            ...(ownDesk !== 0 && { desk: ownDesk }),
            now: time,
            ...(action === 'reopen' ? { do: action, note: noteText, subject: subjectOf(item).stream } : { do: action }),
          },
          cause,
        ).catch(withTakerDetails);
        wrote(position);
        const [shown] = await access.show([row], new Map([[item, reply]]), context);
        return { result: true, item: shown! };
      },
    });

  return [
    ...boardOperations(options),
    operation({
      ...WRITE,
      name: 'dispatchDecide',
      returns: { read: 'dispatchItem', mayBeHidden: true },
      summary: "Decide on an item of today's dispatch board",
      description:
        'Records a decision. Actions such as `hold`, `cancel` or `put_on_route` also run their operation, with `arguments` as input and with the permissions of the caller. If the order or route refuses the action, the decision is recorded as refused and the item stays open.',
      rest: { method: 'post', path: '/v1/dispatch/items/:item_id/decisions' },
      risk: 'medium',
      answers: { ...NOT_FOUND, 409: `The item has changed (\`ITEM_CHANGED\`): see \`item\`. ${TAKEN_DESCRIPTION}` },
      input: z.object({
        item_id: itemInput,
        version: z
          .string()
          .regex(/^[0-9a-f]{8}$/)
          .describe('Version of the item, as on the board.'),
        decision: z.enum(DECISIONS),
        expires_at: z.iso
          .datetime({ offset: true })
          .optional()
          .describe(
            'Time at which the decision ends, at the latest the end of the day. Required for `snooze`, not allowed for actions.',
          ),
        note: note.describe('Note. Required for `leave`.'),
        contacted: z
          .enum(CONTACTED)
          .optional()
          .describe('Person who was contacted. Required for `contacted`, not allowed otherwise.'),
        take_over: z
          .boolean()
          .default(false)
          .describe('Whether to record the decision even if another user has taken the item.'),
        arguments: z
          .record(z.string().max(64), z.unknown())
          .default({})
          .describe('Input of the operation, for actions only.'),
      }),
      output: z.object({
        result: z.boolean().describe('False if the order or route refused the action.'),
        decision_id: z.string(),
        status: z.enum(STATES).describe('Status of the item after the decision.'),
        outcome: outcomeSchema.optional(),
      }),
      async run({ item_id: item, version: seen, expires_at: until, take_over, arguments: args, ...rest }, context) {
        const request = { ...rest, item, seen, until, takeOver: take_over, args };
        const { decisionId, history } = await decide(request, context).catch(withTakerDetails);
        const outcome = history.decided?.outcome;
        return {
          result: outcome?.status !== 'refused',
          decision_id: decisionId,
          status: stateOf(history, seen, context.time),
          ...(outcome && { outcome }),
        };
      },
    }),
    itemOperation('dispatchTake', 'take', 'Take an item for 20 minutes or until it is decided'),
    itemOperation('dispatchReturn', 'return', 'Return an item that you took'),
    itemOperation('dispatchReopen', 'reopen', 'Withdraw the latest decision on an item', { note }),
    decisionLog({ queries, access }),
    operation({
      ...READ,
      name: 'dispatchSettings',
      versioned: PLANNING_VERSION,
      summary: 'Get the thresholds of the dispatch board',
      rest: { method: 'get', path: '/v1/dispatch-settings' },
      callers: ['client_admin', 'employee', 'auditor'],
      scopes: ['routes:read'],
      reads: ['planning'],
      input: z.object({}),
      output: z.object({ result: z.boolean(), dispatch_settings: settingsSchema }),
      async run(_input, { caller }) {
        const { start_grace, ...found } = await queries.settings(businessOf(caller));
        return { result: true, dispatch_settings: { ...found, start_grace_minutes: start_grace } };
      },
    }),
    operation({
      ...WRITE,
      name: 'dispatchSettingsUpdate',
      versioned: PLANNING_VERSION,
      summary: 'Update the thresholds of the dispatch board',
      description: 'Omitted fields keep their values.',
      reads: ['planning'],
      rest: { method: 'patch', path: '/v1/dispatch-settings' },
      callers: ['client_admin'],
      risk: 'medium',
      awaits: ['planning'],
      returns: { read: 'dispatchSettings' },
      input: z.object({
        held_days: z.int().min(0).max(60).optional(),
        idle_minutes: z.int().min(5).max(2_880).optional(),
        silent_hours: z.int().min(1).max(720).optional(),
        silent_minutes: z.int().min(5).max(720).optional(),
        start_grace_minutes: z.int().min(0).max(720).optional(),
      }),
      output: z.object({ result: z.boolean() }),
      async run({ start_grace_minutes: start_grace, ...rest }, { caller, commandId, cause, wrote }: Context) {
        const business = businessOf(caller);
        const update = Object.fromEntries(
          Object.entries({ ...rest, start_grace }).filter(([, value]) => value !== undefined),
        );
        const { version: _version, ...currentSettings } = await queries.settings(business);
        const next = { ...currentSettings, ...update };
        const { position } = await settings(
          planningStream(business),
          { do: 'set', commandId, id: business, business, by: userOf(caller).userId, settings: next },
          cause,
        );
        wrote(position);
        return { result: true };
      },
    }),
  ];
}

/** Adds the user who has taken the item as members of the error ITEM_TAKEN. */
function withTakerDetails(error: unknown): never {
  throw error instanceof DomainError && error.code === 'ITEM_TAKEN'
    ? new ApiError('ITEM_TAKEN', {
        params: error.params,
        members: { taken_by: error.params['by'], taken_at: error.params['since'] },
      })
    : error;
}

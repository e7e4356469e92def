/** The operations of dispatch. */
import { z } from 'zod';
import { CONTACTED, DECISIONS } from '../../../events/dispatch/decisions.js';
import { dispatchStream } from '../../../events/dispatch/events.js';
import { STATES, stateOf } from '../../../events/dispatch/standing.js';
import type { SettingsCommand } from '../../../commands/dispatch/settings.js';
import type { Handle } from '../../../commands/core/handle.js';
import { DomainError } from '../../../commands/core/domain-error.js';
import { dispatchSettingsSchema, planningStream } from '../../../events/planning/events.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import { boardOperations, createFind, itemInput, READ, type BoardOptions } from './board.js';
import { createDecide, type DecidingOptions } from './deciding.js';
import { subjectOf } from './subject.js';
import { DECIDERS, deskOf } from './desk.js';
import { itemSchema } from './shapes.js';
import { decisionLog } from './decisions.js';

export interface DispatchOptions
  extends BoardOptions, Pick<DecidingOptions, 'handle' | 'guards' | 'claims' | 'invoke' | 'operation'> {
  readonly settings: Handle<SettingsCommand, undefined>;
}

const WRITE = {
  area: 'Dispatch',
  callers: DECIDERS,
  scopes: ['routes:write'],
  awaits: ['dispatch_decisions'],
  writes: true,
} as const;
const GONE = { 404: 'There is no such item, or not any more: `solved_by` tells what happened last.' };
const TAKEN = 'Somebody else has it: `by`, `since`.';
const note = z.string().trim().min(1).max(500).optional();

export function dispatchOperations(options: DispatchOptions): Operation[] {
  const { handle, settings, queries, desk } = options;
  const find = createFind(options);
  const standing: DecidingOptions['standing'] = ({ business, date }, own, item) =>
    queries.standings(business, date, own, item);
  const decide = createDecide({ ...options, find, standing });

  /** Taking, returning and reopening need the item to be on the board. */
  const changing = (
    name: string,
    what: 'take' | 'return' | 'reopen',
    summary: string,
    members: { readonly note?: typeof note } = {},
  ) =>
    operation({
      ...WRITE,
      name,
      summary,
      rest: { method: 'post', path: `/v1/dispatch/items/:item/${what}` },
      answers: what === 'reopen' ? GONE : { ...GONE, 409: TAKEN },
      input: z.object({ item: itemInput, ...members }),
      output: z.object({ result: z.boolean(), item: itemSchema }),
      async run(input, context) {
        const { item, note: said } = input as { readonly item: string; readonly note?: string };
        const { caller, commandId, cause, time, wrote } = context;
        const view = await desk.viewOf(caller);
        const row = await find(view, item);
        const own = deskOf(caller);
        const { reply, position } = await handle(
          dispatchStream(view.business, view.date),
          {
            commandId,
            item,
            by: userOf(caller).userId,
            ...(own !== 0 && { desk: own }),
            now: time,
            ...(what === 'reopen' ? { do: what, note: said, subject: subjectOf(item).stream } : { do: what }),
          },
          cause,
        ).catch(withTaker);
        wrote(position);
        const [shown] = await desk.show([row], new Map([[item, reply]]), context);
        return { result: true, item: shown! };
      },
    });

  return [
    ...boardOperations(options),
    operation({
      ...WRITE,
      name: 'dispatchDecide',
      summary: 'Decide on an item of the board of today; what does something goes through its own operation',
      description:
        '`hold`, `cancel`, `put_on_route` and the like are carried out with the rights of the caller; `arguments` are those of the operation. What the order or the route refuses is recorded as refused, and the item stays open.',
      rest: { method: 'post', path: '/v1/dispatch/items/:item/decisions' },
      risk: 'medium',
      answers: { ...GONE, 409: `It is not as it was seen any more: \`item\` tells how it is now. Or: ${TAKEN}` },
      input: z.object({
        item: itemInput,
        seen: z
          .string()
          .regex(/^[0-9a-f]{8}$/)
          .describe('As the item was told.'),
        decision: z.enum(DECISIONS),
        until: z.iso.datetime({ offset: true }).optional().describe('At most the end of the day. `snooze` needs it.'),
        note: note.describe('`leave` needs it.'),
        contacted: z.enum(CONTACTED).optional().describe('Whom; `contacted` needs it.'),
        take_over: z.boolean().default(false).describe('Decide although somebody else has it.'),
        arguments: z.record(z.string().max(64), z.unknown()).default({}).describe('Of the operation.'),
      }),
      output: z.object({
        result: z.boolean().describe('False: it was refused.'),
        decision_id: z.string(),
        item: z.string(),
        state: z.enum(STATES),
        outcome: z.object({ status: z.enum(['done', 'refused']), code: z.string().optional() }).optional(),
      }),
      async run({ take_over, arguments: args, ...wanted }, context) {
        const { decisionId, standing: now } = await decide({ ...wanted, takeOver: take_over, args }, context).catch(
          withTaker,
        );
        const outcome = now.decided?.outcome;
        return {
          result: outcome?.status !== 'refused',
          decision_id: decisionId,
          item: wanted.item,
          state: stateOf(now, wanted.seen, context.time),
          ...(outcome && { outcome }),
        };
      },
    }),
    changing('dispatchTake', 'take', 'Say that the caller works on an item: for 20 minutes, or until it is decided.'),
    changing('dispatchReturn', 'return', 'Give back an item that the caller took.'),
    changing('dispatchReopen', 'reopen', 'Take the latest decision on an item back.', { note }),
    decisionLog({ queries, desk }),
    operation({
      ...READ,
      name: 'dispatchSettings',
      summary: 'From when on a fact is an item of the board',
      rest: { method: 'get', path: '/v1/dispatch-settings' },
      callers: ['client_admin', 'employee', 'auditor'],
      scopes: ['routes:read'],
      reads: ['planning'],
      input: z.object({}),
      output: z.object({ result: z.boolean(), ...dispatchSettingsSchema.shape }),
      run: async (_input, { caller }) => ({ result: true, ...(await queries.settings(businessOf(caller))) }),
    }),
    operation({
      ...WRITE,
      name: 'dispatchSettingsUpdate',
      summary: 'Set from when on a fact is an item of the board',
      description: 'Members that are left out stay as they are.',
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
        start_grace: z.int().min(0).max(720).optional().describe('Minutes.'),
      }),
      output: z.object({ result: z.boolean() }),
      async run(wanted, { caller, commandId, cause, wrote }: Context) {
        const business = businessOf(caller);
        const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
        const next = { ...(await queries.settings(business)), ...given };
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

/** Names who has the item, in addition to the text. */
function withTaker(error: unknown): never {
  throw error instanceof DomainError && error.code === 'ITEM_TAKEN'
    ? new ApiError('ITEM_TAKEN', {
        params: error.params,
        members: { by: error.params['by'], since: error.params['since'] },
      })
    : error;
}

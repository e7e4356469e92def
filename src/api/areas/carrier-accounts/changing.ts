/** Creates and changes carrier accounts. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { CarrierAccountCommand, CarrierAccountUpdate } from '../../../commands/carrier-accounts/decider.js';
import type { NewRange } from '../../../commands/carrier-accounts/number-streams.js';
import { dryRunOf, type Cause, type Handle } from '../../../commands/core/handle.js';
import type { CarrierAdapter, CarrierCall } from '../../../engines/outside/carriers/port.js';
import { MAX_CARRIER_ACCOUNTS, type CarrierClaims } from '../../../engines/postgres/carrier-claims.js';
import { carrierAccountStream, MAX_METHODS } from '../../../events/carrier-accounts/events.js';
import { boundsOf } from '../../../events/carrier-accounts/numbers.js';
import { compact } from '../../../events/core/compact.js';
import type { Position } from '../../../events/core/log.js';
import { derivedId } from '../../../events/otep/identity.js';
import type { CarrierAccount, CarrierAccountQueries } from '../../../projections/carrier-accounts/queries.js';
import { CARRIER_ACCOUNT_IDS } from '../../../projections/carrier-accounts/read-model.js';
import { businessOf } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import { stopInput } from '../orders/input.js';
import { createAccountOf, WRITE, type AccountCalls } from './accounts.js';
import { checkedMembers, merged, needsCredentials, type Members } from './members.js';
import { askForMethods } from './offered.js';
import type { CarrierSecrets } from './secrets.js';
import { carrier_account_id, CARRIER_ACCOUNT_VERSION, nameInput, refundInput, toleranceInput } from './shapes.js';

const adapterMembers = z.record(z.string(), z.unknown());
const settingsInput = adapterMembers.describe('Members of the adapter: docs/labels.md lists them.');
const credentialsInput = adapterMembers.describe('Keys at the carrier. They are stored encrypted and never returned.');
const methodInput = z
  .strictObject({
    id: idSchema,
    enabled: z.boolean().optional(),
    markup_card: idSchema.nullable().optional().describe('Rate card of the family `label_service`. Null: none.'),
  })
  .meta({ id: 'CarrierMethodInput' });
const ANSWERS = {
  409: '`NUMBERS_IN_USE`: the range contains numbers of another account, or numbers that were drawn.',
  422: '`CARRIER_REFUSED`: the carrier rejects the account.',
  503: '`CARRIER_UNAVAILABLE`: the carrier does not respond.',
};

export interface ChangingOptions {
  readonly handle: Handle<CarrierAccountCommand, undefined>;
  readonly queries: Pick<CarrierAccountQueries, 'byId'>;
  readonly secrets: CarrierSecrets;
  readonly calls: AccountCalls;
  /** Ids of all adapters. */
  readonly adapterIds: readonly string[];
  /** Throws the errors of a rate card that cannot price labels. */
  readonly expectMarkupCard: (id: number, business: number, path: string) => Promise<void>;
  readonly claims: Pick<CarrierClaims, 'claim'>;
  readonly setRange: (range: NewRange, cause: Cause) => Promise<Position | undefined>;
  readonly timeoutMs: number;
}

export function changingOperations(options: ChangingOptions): Operation[] {
  const { handle, queries, secrets, calls, adapterIds, expectMarkupCard, claims, setRange, timeoutMs } = options;
  const accountOf = createAccountOf(queries);

  function adapterOf(id: string): CarrierAdapter {
    const found = calls.adapterOf(id);
    if (found) return found;
    const params = { allowed: adapterIds.join(', ') };
    throw new ApiError('INVALID_INPUT', {
      errors: [{ field: 'adapter', path: '/adapter', code: 'INVALID_VALUE', params }],
    });
  }

  const rangeFor = (adapter: CarrierAdapter, settings: Members, accountId: number, context: Context) => {
    const range = adapter.numberRange?.(settings);
    return range && { ...range, business: businessOf(context.caller), accountId, commandId: context.commandId };
  };

  /**
   * Checks everything before something is stored. Then the secret is stored, then the range is set, and last the account
   * is changed: an account always has its secret and its range. A repeated request completes what is missing.
   */
  async function send(command: CarrierAccountCommand, stored: Stored, context: Context): Promise<void> {
    const { cause, wrote } = context;
    const { id, business } = command;
    const stream = carrierAccountStream(id);
    const { range, secret } = stored;
    const isNew = command.do === 'add';
    if (!cause.dryRun) await handle(stream, command, dryRunOf(cause));
    if (range) await setRange(range, dryRunOf(cause));
    if (isNew || range) {
      const bounds = range && boundsOf(range);
      const isDryRun = cause.dryRun !== undefined;
      const refusal = await claims.claim({ business, accountId: id, isNew, range: bounds, isDryRun });
      if (refusal) throw new ApiError(refusal, { params: { max: MAX_CARRIER_ACCOUNTS } });
    }
    if (secret && !cause.dryRun) await secrets.store(secret.id, { business, adapter: stored.adapter }, secret.value);
    if (range) wrote(await setRange(range, cause));
    wrote((await handle(stream, command, cause)).position);
    // Only now, so that an account never refers to a credential that will be destroyed.
    if (secret?.replaces !== undefined && !cause.dryRun) await secrets.destroy(secret.replaces, business);
  }

  return [
    operation({
      ...WRITE,
      name: 'carrierAccountCreate',
      returns: { read: 'carrierAccount' },
      summary: 'Create a carrier account',
      description:
        'Adds an account at a carrier or aggregator. The carrier is asked once, free of charge, whether it accepts the account, and for its methods. All methods are enabled at first.',
      rest: { method: 'post', path: '/v1/carrier-accounts', status: 201 },
      answers: { ...ANSWERS, 409: `${ANSWERS[409]} \`TOO_MANY_CARRIER_ACCOUNTS\`: the business has 200 accounts.` },
      input: z.object({
        adapter: z.string().min(1).max(32).describe('`sheet`: the business delivers itself.'),
        name: nameInput,
        credentials: credentialsInput.default({}),
        settings: settingsInput.default({}),
        price_tolerance_percent: toleranceInput.nullable().default(null),
        refund_on: refundInput.default('refunded'),
        return_address: stopInput.optional().describe('Sender of shipments that name none.'),
      }),
      output: z.object({ result: z.boolean() }),
      async run({ adapter: adapterId, name, return_address, ...input }, context) {
        const { caller, commandId, cause } = context;
        const business = businessOf(caller);
        const adapter = adapterOf(adapterId);
        const { price_tolerance_percent, refund_on, ...members } = input;
        const { settings, credentials } = checkedMembers(adapter, members);
        const [id] = await context.reserveIds(CARRIER_ACCOUNT_IDS, 1);
        const call = { business, accountId: id!, settings, credentials };
        const offered = cause.dryRun
          ? []
          : await askForMethods(adapter, call, { ask: (work) => work().catch(asUnknown), timeoutMs });
        const credentialId = needsCredentials(adapter) ? credentialIdOf(commandId) : undefined;
        const terms = compact({ name, settings, price_tolerance_percent, refund_on, return_address });
        const accountToken = randomBytes(16).toString('hex');
        await send(
          { do: 'add', id: id!, business, commandId, adapter: adapterId, accountToken, credentialId, terms, offered },
          {
            adapter: adapterId,
            range: rangeFor(adapter, settings, id!, context),
            secret: credentialId === undefined ? undefined : { id: credentialId, value: credentials },
          },
          context,
        );
        return { result: true, carrier_account_id: id! };
      },
    }),
    operation({
      ...WRITE,
      name: 'carrierAccountUpdate',
      versioned: CARRIER_ACCOUNT_VERSION,
      returns: { read: 'carrierAccount' },
      summary: 'Update a carrier account',
      description:
        'Omitted fields keep their values. Members of `settings` and `credentials` are merged; null removes one. The carrier is asked again if `settings` or `credentials` change, or with `refresh_methods`.',
      rest: { method: 'patch', path: '/v1/carrier-accounts/:carrier_account_id' },
      answers: {
        404: 'There is no such carrier account, method (`CARRIER_METHOD_NOT_FOUND`) or rate card (`RATE_CARD_NOT_FOUND`).',
        ...ANSWERS,
      },
      input: z.object({
        carrier_account_id,
        name: nameInput.optional(),
        credentials: credentialsInput.optional(),
        settings: settingsInput.optional(),
        price_tolerance_percent: toleranceInput.nullable().optional(),
        refund_on: refundInput.optional(),
        return_address: stopInput.nullable().optional().describe('Null: removed.'),
        refresh_methods: z.boolean().default(false).describe('True: asks the carrier for its methods.'),
        methods: z.array(methodInput).max(MAX_METHODS).default([]).describe('Methods to change.'),
      }),
      output: z.object({ result: z.boolean() }),
      async run({ carrier_account_id: id, methods, ...input }, context) {
        const account = await accountOf(id, context.caller);
        await checkCards(methods, account.business);
        const asked = await askedAgain(account, input, context);
        const { name, price_tolerance_percent, refund_on, return_address } = input;
        const update: CarrierAccountUpdate = {
          terms: compact({
            name,
            price_tolerance_percent,
            refund_on,
            return_address: return_address === null ? {} : return_address,
            settings: asked?.settings,
          }),
          credentialId: asked?.secret?.id,
          offered: asked?.offered,
          choices: methods.map((one) => ({ methodId: one.id, enabled: one.enabled, markupCard: one.markup_card })),
        };
        const { business, adapter } = account;
        await send(
          { do: 'change', id, business, commandId: context.commandId, ...update },
          { adapter, range: asked?.range, secret: asked?.secret },
          context,
        );
        return { result: true };
      },
    }),
  ];

  /** What the carrier says to the settings and credentials after the change. Undefined: neither changes. */
  async function askedAgain(
    account: CarrierAccount,
    {
      settings,
      credentials,
      refresh_methods,
    }: { settings?: Members | undefined; credentials?: Members | undefined; refresh_methods: boolean },
    context: Context,
  ) {
    if (!settings && !credentials && !refresh_methods) return undefined;
    const adapter = adapterOf(account.adapter);
    const before = (await secrets.read(account)) ?? {};
    const after = checkedMembers(adapter, {
      settings: merged(account.settings, settings ?? {}),
      credentials: merged(before, credentials ?? {}),
    });
    const call: Omit<CarrierCall, 'signal'> = { business: account.business, accountId: account.id, ...after };
    const ask: Parameters<typeof askForMethods>[2]['ask'] = (work) => calls.ask(account, work);
    if (!context.cause.dryRun) calls.expectAvailable(account);
    const offered = context.cause.dryRun ? undefined : await askForMethods(adapter, call, { ask, timeoutMs });
    return {
      settings: settings && after.settings,
      range: settings && rangeFor(adapter, after.settings, account.id, context),
      secret:
        credentials && needsCredentials(adapter)
          ? { id: credentialIdOf(context.commandId), value: after.credentials, replaces: account.credential_id }
          : undefined,
      offered,
    };
  }

  async function checkCards(methods: readonly z.infer<typeof methodInput>[], business: number): Promise<void> {
    for (const [index, { markup_card }] of methods.entries())
      if (markup_card !== undefined && markup_card !== null)
        await expectMarkupCard(markup_card, business, `/methods/${index}/markup_card`);
  }
}

interface Stored {
  readonly adapter: string;
  readonly range: NewRange | undefined;
  readonly secret: { readonly id: string; readonly value: Members; readonly replaces?: string | undefined } | undefined;
}

const credentialIdOf = (commandId: string): string => derivedId('carrier credential', commandId);
const asUnknown = () => ({ is: 'unknown', cause: 'exception' }) as const;

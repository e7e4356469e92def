/** Reads of carrier accounts, their test, and the states disabled and enabled. */
import { z } from 'zod';
import type { CarrierAccountCommand } from '../../../commands/carrier-accounts/decider.js';
import type { Handle } from '../../../commands/core/handle.js';
import type { Outcome } from '../../../engines/outside/adapter.js';
import type { CarrierAdapter, CarrierCall } from '../../../engines/outside/carriers/port.js';
import { carrierAccountStream } from '../../../events/carrier-accounts/events.js';
import type { CarrierAccount, CarrierAccountQueries } from '../../../projections/carrier-accounts/queries.js';
import type { NumberQueries } from '../../../projections/carrier-accounts/numbers.js';
import { businessOf, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { chooseLanguage, translate, type MessageCode } from '../../core/messages/index.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { createWrite } from '../../core/write.js';
import {
  ACCOUNT_NOT_FOUND,
  accountOutput,
  carrier_account_id,
  CARRIER_ACCOUNT_VERSION,
  toAccount,
  toMethod,
} from './shapes.js';
import type { CarrierSecrets } from './secrets.js';

const READ = {
  area: 'LabelService',
  callers: ['client_admin'],
  scopes: ['labels:read'],
  reads: ['carrier_accounts', 'carrier_numbers'],
} as const;
export const WRITE = {
  area: 'LabelService',
  callers: ['client_admin'],
  scopes: ['labels:write'],
  awaits: ['carrier_accounts', 'carrier_numbers'],
  writes: true,
  risk: 'high',
} as const;

/** Calls of the API to carriers. */
export interface AccountCalls {
  adapterOf(id: string): CarrierAdapter | undefined;
  callFor(account: CarrierAccount, signal: AbortSignal): Promise<CarrierCall | undefined>;
  ask<Result>(account: CarrierAccount, work: () => Promise<Outcome<Result>>): Promise<Outcome<Result>>;
  /** Throws CARRIER_UNAVAILABLE while the circuit of the account is open. */
  expectAvailable(account: CarrierAccount): void;
}

export interface AccountsOptions {
  readonly handle: Handle<CarrierAccountCommand, undefined>;
  readonly queries: CarrierAccountQueries;
  readonly numbers: Pick<NumberQueries, 'ofAccounts'>;
  readonly secrets: CarrierSecrets;
  readonly calls: AccountCalls;
  readonly webhookUrlOf?: ((adapter: string, token: string) => string) | undefined;
  /** Timeout of a call to a carrier. */
  readonly timeoutMs: number;
}

/** The account of the caller's business. Throws CARRIER_ACCOUNT_NOT_FOUND. */
export const createAccountOf =
  (queries: Pick<CarrierAccountQueries, 'byId'>) =>
  async (id: number, caller: Caller): Promise<CarrierAccount> => {
    const found = await queries.byId(id, businessOf(caller));
    if (!found) throw new ApiError('CARRIER_ACCOUNT_NOT_FOUND');
    return found;
  };

export function accountOperations(options: AccountsOptions): Operation[] {
  const { handle, queries, numbers, secrets, calls, webhookUrlOf, timeoutMs } = options;
  const accountOf = createAccountOf(queries);
  const write = createWrite(handle, carrierAccountStream);

  async function shown(rows: readonly CarrierAccount[]) {
    const ranges = await numbers.ofAccounts(rows.map(({ id }) => id));
    return Promise.all(
      rows.map(async (account) =>
        toAccount({
          account,
          credential: await secrets.shown(account),
          ranges: ranges.get(account.id) ?? [],
          adapter: calls.adapterOf(account.adapter),
          webhookUrlOf,
        }),
      ),
    );
  }

  /** Undefined: the carrier accepts the account. */
  async function faultOf(
    account: CarrierAccount,
  ): Promise<{ readonly code: string; readonly text?: string } | undefined> {
    const adapter = calls.adapterOf(account.adapter);
    if (!adapter) return { code: 'CARRIER_UNAVAILABLE' };
    calls.expectAvailable(account);
    const call = await calls.callFor(account, AbortSignal.timeout(timeoutMs));
    if (!call) return { code: 'CREDENTIALS_MISSING' };
    const outcome = await calls.ask(account, () => adapter.test(call));
    if (outcome.is === 'done') return undefined;
    if (outcome.is === 'unknown') return { code: 'CARRIER_UNAVAILABLE' };
    return { code: outcome.code, ...(outcome.text !== undefined && { text: outcome.text }) };
  }

  const setState = (change: 'disable' | 'enable', texts: { readonly summary: string; readonly description: string }) =>
    operation({
      ...WRITE,
      ...texts,
      name: change === 'disable' ? 'carrierAccountDisable' : 'carrierAccountEnable',
      versioned: CARRIER_ACCOUNT_VERSION,
      returns: { read: 'carrierAccount' },
      rest: { method: 'post', path: `/v1/carrier-accounts/:carrier_account_id/${change}` },
      answers: ACCOUNT_NOT_FOUND,
      input: z.object({ carrier_account_id }),
      output: z.object({ result: z.boolean() }),
      async run(input, context) {
        await write(input.carrier_account_id, context, { do: change });
        return { result: true };
      },
    });

  return [
    operation({
      ...READ,
      name: 'carrierAccounts',
      summary: 'List carrier accounts',
      description: 'Lists the accounts of the business at carriers, sorted by id. Secrets are never returned.',
      rest: { method: 'get', path: '/v1/carrier-accounts' },
      input: z.object({
        adapter: z.string().min(1).max(32).optional(),
        status: z.enum(['active', 'disabled']).optional(),
        ...pageInput,
      }),
      output: z.object({ ...pageOutput, carrier_accounts: z.array(accountOutput) }),
      async run({ adapter, status, ...page }, { caller }) {
        const disabled = status === undefined ? undefined : status === 'disabled';
        const { rows, ...found } = await queries.list({ adapter, disabled }, rangeOf(page), businessOf(caller));
        return { ...pageOf(page, found), carrier_accounts: await shown(rows) };
      },
    }),
    operation({
      ...READ,
      name: 'carrierAccount',
      versioned: CARRIER_ACCOUNT_VERSION,
      summary: 'Get a carrier account',
      description: 'Returns the account with its methods. Secrets are never returned.',
      rest: { method: 'get', path: '/v1/carrier-accounts/:carrier_account_id' },
      answers: ACCOUNT_NOT_FOUND,
      input: z.object({ carrier_account_id }),
      output: z.object({ result: z.boolean(), carrier_account: accountOutput }),
      async run({ carrier_account_id: id }, { caller }) {
        const account = await accountOf(id, caller);
        const [one] = await shown([account]);
        return { result: true, carrier_account: { ...one!, methods: account.methods.map(toMethod) } };
      },
    }),
    operation({
      area: 'LabelService',
      name: 'carrierAccountTest',
      callers: ['client_admin'],
      scopes: ['labels:write'],
      reads: ['carrier_accounts'],
      risk: 'high',
      limitedAs: 'write',
      summary: 'Test a carrier account',
      description:
        'Sends one free request with the stored credentials. Nothing is bought or changed. `result` is false if the carrier rejects the account or does not respond; `code` says why.',
      rest: { method: 'post', path: '/v1/carrier-accounts/:carrier_account_id/test' },
      answers: {
        ...ACCOUNT_NOT_FOUND,
        503: '`CARRIER_UNAVAILABLE`: the carrier failed repeatedly. `Retry-After` has the seconds.',
      },
      input: z.object({ carrier_account_id }),
      output: z.object({
        result: z.boolean(),
        code: z.string().nullable().describe('Code of the service or of the carrier.'),
        message: z.string().nullable(),
      }),
      async run({ carrier_account_id: id }, { caller, header }) {
        const fault = await faultOf(await accountOf(id, caller));
        if (!fault) return { result: true, code: null, message: null };
        const message = fault.text ?? textOf(fault.code, header('accept-language'));
        return { result: false, code: fault.code, message };
      },
    }),
    setState('disable', {
      summary: 'Disable a carrier account',
      description: 'No label is rated or bought with the account any more. Purchases that have begun are completed.',
    }),
    setState('enable', {
      summary: 'Enable a carrier account',
      description: 'Labels can be rated and bought with the account again.',
    }),
  ];
}

/** The text of a code of the service; the code itself for another one. */
const textOf = (code: string, language: string | undefined): string =>
  translate(code as MessageCode, {}, chooseLanguage(language));

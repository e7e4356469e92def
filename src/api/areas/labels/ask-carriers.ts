/** Asks several carriers for rates at the same time. A carrier that fails does not affect the others. */
import type { Outcome } from '../../../engines/outside/adapter.js';
import type { CarrierRate, CarrierRates, CarrierShipment } from '../../../engines/outside/carriers/port.js';
import { createFairTurns, TurnRefused } from '../../../engines/fair-turns.js';
import { withTimeout } from '../../../engines/timeouts.js';
import { priceSchema } from '../../../events/pricing/values.js';
import { isCurrency } from '../../../events/core/money.js';
import { isOffered, type CarrierAccess, type RatedAccount, type RatedMethod } from './rated-account.js';
import { unmetNeeds } from './unmet-needs.js';

/** A method of an account that transports the shipment, and its cost. */
export interface Offer {
  readonly account: RatedAccount;
  readonly method: RatedMethod;
  readonly rate: CarrierRate;
}

/** Why an account has no rate, or not all. */
export interface RateError {
  /** Null: the error concerns no single account. */
  readonly accountId: number | null;
  readonly code: string;
  /** Text of the carrier, for staff. */
  readonly text?: string | undefined;
  readonly retryable: boolean;
}

export interface Asked {
  readonly offers: readonly Offer[];
  readonly errors: readonly RateError[];
}

export interface AskCarriersOptions {
  readonly access: CarrierAccess;
  /** Time for one carrier. */
  readonly timeoutMs: number;
}

/** Maximum number of calls for rates that this process makes at the same time. */
const AT_ONCE = 64;
const MAX_WAITING = 2_000;
/** Maximum of one business: the calls of two requests that ask all accounts. */
const MAX_WAITING_PER_BUSINESS = 400;
/** Maximum number of methods of an account that are rated for one shipment. */
const MAX_METHODS = 50;
const MAX_ERRORS_PER_ACCOUNT = 10;

/** `isWanted`: which methods are of interest. */
export type AskCarriers = (
  accounts: readonly RatedAccount[],
  shipment: CarrierShipment,
  isWanted: (method: RatedMethod) => boolean,
) => Promise<Asked>;

export function createAskCarriers({ access, timeoutMs }: AskCarriersOptions): AskCarriers {
  const turns = createFairTurns({
    atOnce: AT_ONCE,
    maxWaiting: MAX_WAITING,
    maxWaitingPerClient: MAX_WAITING_PER_BUSINESS,
  });

  /** The carrier gets its time in full, or is not asked. `begun`: when the request began to ask. */
  async function ask(account: RatedAccount, shipment: CarrierShipment, begun: number): Promise<Outcome<CarrierRates>> {
    const adapter = access.adapterOf(account.adapter);
    if (!adapter) return { is: 'not_done', code: 'CARRIER_UNAVAILABLE', final: true };
    if (unmetNeeds(adapter.capabilities, shipment).length > 0)
      return { is: 'not_done', code: 'NOT_SERVED', final: true };
    const isLate = (): boolean => performance.now() - begun > timeoutMs / 2;
    const inTurn = async (): Promise<Outcome<CarrierRates>> => {
      if (isLate()) return { is: 'unknown', cause: 'no_turn' };
      const call = await access.callFor(account, AbortSignal.timeout(timeoutMs));
      if (!call) return { is: 'not_done', code: 'CREDENTIALS_MISSING', final: true };
      return access.ask(account, () =>
        withTimeout(adapter.rate(call, shipment), timeoutMs, () => new Error('timeout')).then(toOutcome),
      );
    };
    return turns(String(account.business), inTurn).catch((error: unknown): Outcome<CarrierRates> => {
      if (error instanceof TurnRefused) return { is: 'unknown', cause: 'no_turn' };
      throw error;
    });
  }

  return async (accounts, shipment, isWanted) => {
    const begun = performance.now();
    const asked = await Promise.all(
      accounts.map(async (account) => read(account, await ask(account, shipment, begun), isWanted)),
    );
    return { offers: asked.flatMap(({ offers }) => offers), errors: asked.flatMap(({ errors }) => errors) };
  };
}

/** A carrier that reports that it is unavailable counts as one that did not respond. */
const toOutcome = (result: CarrierRates): Outcome<CarrierRates> =>
  result.rates.length === 0 && result.errors.some(({ code }) => code === 'CARRIER_UNAVAILABLE')
    ? { is: 'unknown', cause: 'carrier_unavailable' }
    : { is: 'done', result };

function read(
  account: RatedAccount,
  outcome: Outcome<CarrierRates>,
  isWanted: (method: RatedMethod) => boolean,
): Asked {
  const failed = (code: string, retryable: boolean, text?: string): Asked => ({
    offers: [],
    errors: [{ accountId: account.id, code, retryable, ...(text !== undefined && { text }) }],
  });
  if (outcome.is === 'unknown') return failed('CARRIER_UNAVAILABLE', true);
  if (outcome.is === 'not_done') return failed(outcome.code, !outcome.final, outcome.text);
  const { rates, errors } = outcome.result;
  const methods = new Map(account.methods.filter(isOffered).map((method) => [method.code, method]));
  const offers = rates.flatMap((rate): Offer[] => {
    const method = methods.get(rate.method_code);
    return method && isWanted(method) && isReadable(rate) ? [{ account, method, rate }] : [];
  });
  return {
    offers: offers.slice(0, MAX_METHODS),
    errors: errors
      .slice(0, MAX_ERRORS_PER_ACCOUNT)
      .map(({ code, text, retryable }) => ({ accountId: account.id, code, text, retryable })),
  };
}

/** An amount that the service cannot store exactly is no rate. */
const isReadable = ({ cost, currency }: CarrierRate): boolean =>
  priceSchema.safeParse(cost).success && isCurrency(currency);

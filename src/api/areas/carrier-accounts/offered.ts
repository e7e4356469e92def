/** Asks a carrier whether it accepts an account, and which methods it offers. */
import type { Outcome } from '../../../engines/outside/adapter.js';
import type { CarrierAdapter, CarrierCall, CarrierMethod } from '../../../engines/outside/carriers/port.js';
import type { OfferedMethod } from '../../../commands/carrier-accounts/methods.js';
import { ApiError } from '../../core/errors.js';

type Ask = <Result>(work: () => Promise<Outcome<Result>>) => Promise<Outcome<Result>>;

/**
 * Throws CARRIER_REFUSED (422) if the carrier rejects the credentials or the settings, and CARRIER_UNAVAILABLE (503).
 */
export async function askForMethods(
  adapter: CarrierAdapter,
  call: Omit<CarrierCall, 'signal'>,
  { ask, timeoutMs }: { readonly ask: Ask; readonly timeoutMs: number },
): Promise<readonly OfferedMethod[]> {
  const outcome = await ask(async (): Promise<Outcome<{ readonly methods: readonly OfferedMethod[] }>> => {
    const signal = AbortSignal.timeout(timeoutMs);
    const tested = await adapter.test({ ...call, signal });
    if (tested.is !== 'done') return tested;
    const methods = await adapter.methods({ ...call, signal });
    return { is: 'done', result: { methods: methods.map(toOffered) } };
  });
  if (outcome.is === 'done') return outcome.result.methods;
  if (outcome.is === 'not_done') throw new ApiError('CARRIER_REFUSED', { params: { reason: outcome.code } });
  throw new ApiError('CARRIER_UNAVAILABLE', { headers: { 'Retry-After': '30' }, isByDesign: true });
}

const toOffered = ({ code, name, carrier, formats, countries }: CarrierMethod): OfferedMethod => ({
  code,
  name,
  carrier,
  formats: [...formats],
  ...(countries && { countries: [...countries] }),
});

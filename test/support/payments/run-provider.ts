/**
 * The test provider in a separate process, with faults that the parent process names for its next request. Arguments:
 * file of its state, address for messages, their secret, account.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reply } from '../../../src/engines/payments/test-provider/errors.js';
import type { ProviderCall } from '../../../src/engines/payments/test-provider/idempotent-calls.js';
import { startTestProvider } from '../../../src/engines/payments/test-provider/server.js';
import type { PlannedFault, ProviderMessage } from './provider-process.js';

const [, , file = '', target = '', secret = '', account = ''] = process.argv;
const send = (message: ProviderMessage): void => void process.send!(message);
/** Longer than the timeout of a call at the scale of BRIEF_LEASES. */
const SLOW_MS = 3_500;
let planned: PlannedFault | undefined;

/** The fault of this request, once. */
function faultOf({ method, path }: ProviderCall): PlannedFault['fault'] | undefined {
  if (!planned || method !== planned.method || !path.startsWith(planned.path)) return undefined;
  const { fault } = planned;
  planned = undefined;
  send({ happened: fault });
  return fault;
}

const end = (): never => process.kill(process.pid, 'SIGKILL') as never;
/** Faults around the response, after a fault around the action was not found. */
const faults = new WeakMap<ProviderCall, PlannedFault['fault']>();

const provider = await startTestProvider({
  file,
  laterMs: 200,
  async aroundAction(call, run) {
    const fault = faults.get(call);
    if (fault === 'error_before') throw new Error('before the action');
    const reply = await run();
    if (fault === 'error_after') throw new Error('after the action');
    return reply;
  },
  async aroundResponse(call, run): Promise<Reply> {
    const fault = faultOf(call);
    if (fault === undefined) return run();
    faults.set(call, fault);
    if (fault === 'killed_before') end();
    const reply = await run();
    switch (fault) {
      case 'killed_after':
        return end();
      case 'slow':
        await sleep(SLOW_MS);
        return reply;
      case 'reset':
        throw new Error('The connection is reset.');
      case 'twice':
        return run();
      case 'unavailable':
        return { status: 503, body: { error: { type: 'api_error', message: 'unavailable' } } };
      default:
        return reply;
    }
  },
});
provider.addEndpoint(account, target, secret);
process.on('message', (message: PlannedFault) => {
  planned = message;
  send({ planned: message.fault });
});
process.once('disconnect', () => process.exit());
send({ ready: Number(new URL(provider.url).port) });

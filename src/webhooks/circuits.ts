/**
 * How much of this process an endpoint gets: a few attempts at a time, one where it fails, none for a while where it
 * continues to fail. So none delays another.
 */
import type { Slots } from '../engines/postgres/webhook-delivery.js';
import type { WebhookEndpoint } from '../events/webhooks/events.js';

/** Attempts under way at one endpoint. */
export const USUAL_SLOTS = 8;
/** Failures in a row after which an endpoint is left alone for a while, and then tried with one attempt at a time. */
const TOLERATED = 3;
/** The pause doubles with every further failure, this many times at most. */
const DOUBLINGS = 6;

interface Circuit {
  readonly business: number;
  readonly endpoint: WebhookEndpoint;
  active: number;
  failures: number;
  /** Milliseconds since 1970. */
  openUntil: number;
}

export type Circuits = ReturnType<typeof createCircuits>;

/** `restMs`: the first pause. */
export function createCircuits({ restMs, now }: { readonly restMs: number; readonly now: () => number }) {
  const circuits = new Map<string, Circuit>();

  function circuitOf(business: number, endpoint: WebhookEndpoint): Circuit {
    const key = `${business} ${endpoint}`;
    const circuit = circuits.get(key) ?? { business, endpoint, active: 0, failures: 0, openUntil: 0 };
    circuits.set(key, circuit);
    return circuit;
  }

  return {
    begin(business: number, endpoint: WebhookEndpoint): void {
      circuitOf(business, endpoint).active++;
    },
    /** `ok`: undefined where no attempt was made. */
    end(business: number, endpoint: WebhookEndpoint, ok: boolean | undefined): void {
      const circuit = circuitOf(business, endpoint);
      circuit.active--;
      if (ok === true) Object.assign(circuit, { failures: 0, openUntil: 0 });
      if (ok === false && ++circuit.failures >= TOLERATED)
        circuit.openUntil = now() + restMs * 2 ** Math.min(DOUBLINGS, circuit.failures - TOLERATED);
      if (circuit.active === 0 && circuit.failures === 0) circuits.delete(`${business} ${endpoint}`);
    },
    /** Of endpoints that do not have the usual number. */
    slots: (): Slots[] =>
      [...circuits.values()].map(({ business, endpoint, active, failures, openUntil }) => ({
        business,
        endpoint,
        slots: openUntil > now() ? 0 : (failures >= TOLERATED ? 1 : USUAL_SLOTS) - active,
      })),
  };
}

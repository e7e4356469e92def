/**
 * Limits how much of this process each endpoint uses: a few parallel attempts, one if it fails, and none for a while if
 * it continues to fail. A failing endpoint therefore does not delay the others. An endpoint that requests a delay
 * (`Retry-After`) gets no more attempts in it, except for delays that are longer than the longest pause.
 */
import type { Slots } from '../engines/postgres/webhook-delivery.js';
import type { WebhookEndpoint } from '../events/webhooks/events.js';

/** Parallel attempts per endpoint. */
export const USUAL_SLOTS = 8;
/** Consecutive failures after which an endpoint is paused for a while and then gets one attempt at a time. */
const TOLERATED = 3;
/** The pause doubles with every additional failure, at most this many times. */
const DOUBLINGS = 6;

interface Circuit {
  readonly business: number;
  readonly endpoint: WebhookEndpoint;
  active: number;
  failures: number;
  /** Milliseconds since 1970. */
  openUntil: number;
  /** The endpoint requested no attempt before this time, in milliseconds since 1970. */
  requestedUntil: number;
}

export type Circuits = ReturnType<typeof createCircuits>;

/** `pauseMs`: length of the first pause in milliseconds. */
export function createCircuits({ pauseMs, now }: { readonly pauseMs: number; readonly now: () => number }) {
  const circuits = new Map<string, Circuit>();
  const longestPauseMs = pauseMs * 2 ** DOUBLINGS;

  /** Returns whether the endpoint needs no entry. */
  const isDefault = ({ active, failures, requestedUntil }: Circuit): boolean =>
    active === 0 && failures === 0 && requestedUntil <= now();

  function circuitOf(business: number, endpoint: WebhookEndpoint): Circuit {
    const key = keyOf(business, endpoint);
    const circuit = circuits.get(key) ?? {
      business,
      endpoint,
      active: 0,
      failures: 0,
      openUntil: 0,
      requestedUntil: 0,
    };
    circuits.set(key, circuit);
    return circuit;
  }

  return {
    begin(business: number, endpoint: WebhookEndpoint): void {
      circuitOf(business, endpoint).active++;
    },
    /**
     * `ok`: undefined if no attempt was made. `requestedMs`: delay that the endpoint requested; it counts at most as
     * the longest pause.
     */
    end(business: number, endpoint: WebhookEndpoint, ok: boolean | undefined, requestedMs = 0): void {
      const circuit = circuitOf(business, endpoint);
      circuit.active--;
      if (ok === true) Object.assign(circuit, { failures: 0, openUntil: 0 });
      if (ok === false && ++circuit.failures >= TOLERATED)
        circuit.openUntil = now() + pauseMs * 2 ** Math.min(DOUBLINGS, circuit.failures - TOLERATED);
      circuit.requestedUntil = Math.max(circuit.requestedUntil, now() + Math.min(requestedMs, longestPauseMs));
      if (isDefault(circuit)) circuits.delete(keyOf(business, endpoint));
    },
    /** Returns the free slots of endpoints that differ from the usual number. */
    slots(): Slots[] {
      for (const [key, circuit] of circuits) if (isDefault(circuit)) circuits.delete(key);
      return [...circuits.values()].map((circuit) => {
        const { business, endpoint, active, failures } = circuit;
        const isOpen = Math.max(circuit.openUntil, circuit.requestedUntil) > now();
        return { business, endpoint, slots: isOpen ? 0 : (failures >= TOLERATED ? 1 : USUAL_SLOTS) - active };
      });
    },
  };
}

const keyOf = (business: number, endpoint: WebhookEndpoint): string => `${business} ${endpoint}`;

/**
 * How much of this process an endpoint gets: a few attempts at a time, one where it fails, none for a while where it
 * continues to fail. So none delays another.
 */
import type { Slots } from '../engines/postgres/webhook-delivery.js';
import type { WebhookKind } from '../events/webhooks/events.js';

/** Attempts under way at one endpoint. */
export const USUAL_SLOTS = 8;
/** Failures in a row after which an endpoint is left alone for a while, and then tried with one attempt at a time. */
const TOLERATED = 3;
/** The pause doubles with every further failure, this many times at most. */
const DOUBLINGS = 6;

interface Circuit {
  readonly business: number;
  readonly kind: WebhookKind;
  active: number;
  failures: number;
  /** Milliseconds since 1970. */
  openUntil: number;
}

export interface Circuits {
  begin(business: number, kind: WebhookKind): void;
  /** `ok`: undefined where no attempt was made. */
  end(business: number, kind: WebhookKind, ok: boolean | undefined): void;
  /** Of endpoints that do not have the usual number. */
  slots(): Slots[];
}

/** `restMs`: the first pause. */
export function createCircuits({ restMs, now }: { readonly restMs: number; readonly now: () => number }): Circuits {
  const circuits = new Map<string, Circuit>();

  function circuitOf(business: number, kind: WebhookKind): Circuit {
    const key = `${business} ${kind}`;
    const circuit = circuits.get(key) ?? { business, kind, active: 0, failures: 0, openUntil: 0 };
    circuits.set(key, circuit);
    return circuit;
  }

  return {
    begin(business, kind) {
      circuitOf(business, kind).active++;
    },
    end(business, kind, ok) {
      const circuit = circuitOf(business, kind);
      circuit.active--;
      if (ok === true) Object.assign(circuit, { failures: 0, openUntil: 0 });
      if (ok === false && ++circuit.failures >= TOLERATED)
        circuit.openUntil = now() + restMs * 2 ** Math.min(DOUBLINGS, circuit.failures - TOLERATED);
      if (circuit.active === 0 && circuit.failures === 0) circuits.delete(`${business} ${kind}`);
    },
    slots: () =>
      [...circuits.values()].map(({ business, kind, active, failures, openUntil }) => ({
        business,
        kind,
        slots: openUntil > now() ? 0 : (failures >= TOLERATED ? 1 : USUAL_SLOTS) - active,
      })),
  };
}

/** The metadata that is stored with every event: the time, the actor, the channel, and the reason. */
import type { JsonObject } from '../../events/core/log.js';
import type { Cause } from './handle.js';

/** `at`: milliseconds since 1970. `traceparent`: W3C Trace Context. */
export function metadataOf(cause: Cause, at: number, traceparent: string | undefined): JsonObject {
  return {
    $correlationId: cause.correlationId,
    ...(cause.causationId !== undefined && { $causationId: cause.causationId }),
    recorded_at: new Date(at).toISOString(),
    actor: { ...cause.actor, channel: cause.channel },
    ...(cause.business !== undefined && { business: cause.business }),
    ...(cause.idempotencyKey !== undefined && { idempotency_key: cause.idempotencyKey }),
    ...(traceparent !== undefined && { traceparent }),
  };
}

/** Jobs of one request at one moment share a metadata object, so that the log serializes it once for all of them. */
export class SharedMetadata {
  #cause: Cause | undefined;
  #at = 0;
  #traceparent: string | undefined;
  #metadata: JsonObject = {};

  of(cause: Cause, at: number, traceparent: string | undefined): JsonObject {
    if (this.#cause !== cause || this.#at !== at || this.#traceparent !== traceparent) {
      [this.#cause, this.#at, this.#traceparent] = [cause, at, traceparent];
      this.#metadata = metadataOf(cause, at, traceparent);
    }
    return this.#metadata;
  }
}

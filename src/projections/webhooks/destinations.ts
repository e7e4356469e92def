/**
 * Finds the destination of a kind of webhook: the URL of the kind, or the default URL if the kind is selected for it.
 * Uses only the settings, so that collector, sender and API get the same result.
 */
import { ALL_KINDS, type WebhookChoice, type WebhookEndpoint, type WebhookKind } from '../../events/webhooks/events.js';
import type { SealedMembers } from '../core/sealed-members.js';

export interface StoredEndpoint extends SealedMembers {
  readonly on: boolean;
  /**
   * Time since when the endpoint has been enabled without a gap, even if its URL changed in between. Earlier events are
   * not sent. RFC 3339, UTC.
   */
  readonly on_since: string;
  readonly set_at: string;
  readonly paused?: { readonly at: string; readonly reason: 'failing' | 'gone' };
}

/**
 * The types that are sent to the default URL, each with its start time (RFC 3339, UTC). With `*`, types that were
 * selected before `*` keep their entries, because their start times are earlier.
 */
export type StoredChoices = Readonly<Partial<Record<WebhookChoice, string>>>;

export type Destination<E extends StoredEndpoint = StoredEndpoint> = E & { readonly endpoint: WebhookEndpoint };

interface Settings<E extends StoredEndpoint> {
  readonly types: StoredChoices;
  readonly endpoints: Readonly<Partial<Record<WebhookEndpoint, E>>>;
}

/**
 * The destination of a kind, paused or not. Undefined: the kind is not sent. `on_since`: time since when the kind has
 * been sent without a gap, to any URL.
 */
export function destinationOf<E extends StoredEndpoint>(
  { endpoints, types }: Settings<E>,
  kind: WebhookKind,
): Destination<E> | undefined {
  const { [kind]: own, default: shared } = endpoints;
  if (own?.on) return { ...own, endpoint: kind };
  const chosen = types[kind] ?? types[ALL_KINDS];
  if (!shared?.on || chosen === undefined) return undefined;
  const since = chosen > shared.on_since ? chosen : shared.on_since;
  // The default URL was already in use when the kind's own URL was removed, so there was no gap.
  const isContinuous = own !== undefined && since <= own.set_at && own.on_since < since;
  return { ...shared, endpoint: 'default', on_since: isContinuous ? own.on_since : since };
}

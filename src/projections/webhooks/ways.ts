/**
 * Which way a kind of webhook goes: to its own address, else to the default one where it is among what goes there. From
 * settings alone, so that collector, sender and API cannot see it differently.
 */
import { ALL_KINDS, type WebhookChoice, type WebhookEndpoint, type WebhookKind } from '../../events/webhooks/events.js';
import type { SealedMembers } from '../core/sealed-members.js';

export interface KeptEndpoint extends SealedMembers {
  readonly on: boolean;
  /** Since when without a break, whatever the address; what was recorded before is not told. RFC 3339, UTC. */
  readonly on_since: string;
  readonly set_at: string;
  readonly paused?: { readonly at: string; readonly reason: 'failing' | 'gone' };
}

/**
 * What goes to the default address, each since when (RFC 3339, UTC). Beside `*` stand those that did so before it:
 * their times are earlier.
 */
export type KeptChoices = Readonly<Partial<Record<WebhookChoice, string>>>;

export type Way<E extends KeptEndpoint = KeptEndpoint> = E & { readonly endpoint: WebhookEndpoint };

interface Settings<E extends KeptEndpoint> {
  readonly types: KeptChoices;
  readonly endpoints: Readonly<Partial<Record<WebhookEndpoint, E>>>;
}

/** Paused or not; undefined: it is told nowhere. `on_since`: since when it has been told, by whichever way. */
export function wayOf<E extends KeptEndpoint>(
  { endpoints, types }: Settings<E>,
  kind: WebhookKind,
): Way<E> | undefined {
  const { [kind]: own, default: shared } = endpoints;
  if (own?.on) return { ...own, endpoint: kind };
  const chosen = types[kind] ?? types[ALL_KINDS];
  if (!shared?.on || chosen === undefined) return undefined;
  const since = chosen > shared.on_since ? chosen : shared.on_since;
  // The default address was there when its own was taken away: there was no break.
  const goesOn = own !== undefined && since <= own.set_at && own.on_since < since;
  return { ...shared, endpoint: 'default', on_since: goesOn ? own.on_since : since };
}

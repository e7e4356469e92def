/** Decides commands on the webhook settings of a business. The caller must check first that the URLs are allowed. */
import type { Fact } from '../../events/core/codec.js';
import { derivedId } from '../../events/otep/identity.js';
import {
  DEFAULT_FLAGS,
  WebhookEndpointPaused,
  WebhookEndpointSet,
  WebhookFlagsChanged,
  WebhookSecretSet,
  webhooksSubject,
  WebhookTypesChosen,
  type WebhookChoice,
  type WebhookEndpoint,
  type WebhookFlags,
} from '../../events/webhooks/events.js';
import type { Decider } from '../core/decider.js';

/** `commandId`: UUID of the request; a retry sends the same UUID. */
export type WebhookCommand = { readonly commandId: string; readonly businessId: number } &
  /** Absent members stay unchanged; an empty URL disables the endpoint. `secret`: a new secret was stored. */
  (
    | {
        readonly do: 'change';
        readonly urls: Readonly<Partial<Record<WebhookEndpoint, string>>>;
        /** Event types that are sent to the default URL. */
        readonly types?: readonly WebhookChoice[];
        readonly flags: Readonly<Partial<WebhookFlags>>;
        readonly secret?: { readonly id: string; readonly overlapHours: number };
      }
    /** Applies only if the endpoint setting that failed is still in effect. */
    | {
        readonly do: 'pause';
        readonly kind: WebhookEndpoint;
        readonly endpointId: string;
        readonly reason: 'failing' | 'gone';
      }
  );

interface WebhookState {
  readonly endpoints: Map<WebhookEndpoint, { readonly id: string; readonly on: boolean; readonly paused: boolean }>;
  types: readonly string[];
  flags: WebhookFlags;
  readonly done: Set<string>;
}

export const webhooks: Decider<WebhookState, WebhookCommand, undefined> = {
  initial: () => ({ endpoints: new Map(), types: [], flags: DEFAULT_FLAGS, done: new Set() }),

  decide(state, command) {
    const fact = (type: unknown, data: object, part = ''): Fact => ({
      id: derivedId('webhooks', command.businessId, command.commandId, (type as Fact['type']).type, part),
      type: type as Fact['type'],
      subject: webhooksSubject(command.businessId),
      data,
    });
    return { facts: factsOf(state, command, fact).filter(({ id }) => !state.done.has(id)), reply: undefined };
  },

  evolve(state, { id, type, data }) {
    state.done.add(id);
    const kind = data['kind'] as WebhookEndpoint;
    if (type === WebhookEndpointSet.type) state.endpoints.set(kind, { id, on: data['on'] as boolean, paused: false });
    if (type === WebhookEndpointPaused.type) state.endpoints.set(kind, { ...state.endpoints.get(kind)!, paused: true });
    if (type === WebhookTypesChosen.type) state.types = data['event_types'] as string[];
    if (type === WebhookFlagsChanged.type) state.flags = { ...state.flags, ...(data as Partial<WebhookFlags>) };
    return state;
  },
};

function factsOf(
  { endpoints, types, flags }: WebhookState,
  command: WebhookCommand,
  fact: (type: unknown, data: object, part?: string) => Fact,
): Fact[] {
  if (command.do === 'pause') {
    const { kind, endpointId, reason } = command;
    const endpoint = endpoints.get(kind);
    return endpoint?.on && endpoint.id === endpointId && !endpoint.paused
      ? [fact(WebhookEndpointPaused, { kind, endpoint_id: endpointId, reason }, kind)]
      : [];
  }
  // Stored URLs are encrypted, so a repeated URL counts as a new setting. This is also how a paused endpoint is
  // resumed.
  const set = (Object.entries(command.urls) as [WebhookEndpoint, string][])
    .filter(([kind, url]) => url !== '' || endpoints.get(kind)?.on)
    .map(([kind, url]) => ({
      place: kind === 'default' ? 1 : url === '' ? 2 : 0,
      fact: fact(WebhookEndpointSet, url === '' ? { kind, on: false } : { kind, on: true, url }, kind),
    }));
  const at = (place: number) => set.filter((one) => one.place === place).map((one) => one.fact);
  const chosen = command.types && [...new Set(command.types)];
  const changed = Object.entries(command.flags).filter(
    ([name, value]) => value !== undefined && value !== flags[name as keyof WebhookFlags],
  );
  return [
    // In this order, every event type that has a URL before and after also has one in between.
    ...at(0),
    ...at(1),
    ...(chosen && chosen.join() !== types.join() ? [fact(WebhookTypesChosen, { event_types: chosen })] : []),
    ...at(2),
    ...(changed.length > 0 ? [fact(WebhookFlagsChanged, Object.fromEntries(changed))] : []),
    ...(command.secret
      ? [fact(WebhookSecretSet, { secret_id: command.secret.id, overlap_hours: command.secret.overlapHours })]
      : []),
  ];
}

/** Names by which captured events are recognized. All are UUIDs that are derived from the provider and the event. */
import { derivedId } from '../otep/identity.js';

/** Equal for all reports of one event, whichever parcels received them. `hash`: the event hash that is recorded. */
export const capturedEventName = (provider: string, eventId: string, hash: string): string =>
  derivedId('epcis event', provider, eventId, hash);

/** Equal for all reports of one error declaration. */
export const declarationName = (provider: string, eventId: string): string =>
  derivedId('epcis declaration', provider, eventId);

/** Equal for all events of a provider with the same id. */
export const idName = (provider: string, eventId: string): string => derivedId('epcis id', provider, eventId);

/** Equal for all events of a provider with the same id and the same content. */
export const contentName = (provider: string, eventId: string, hash: string): string =>
  derivedId('epcis content', provider, eventId, hash);

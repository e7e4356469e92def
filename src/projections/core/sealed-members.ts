/** What is personal in an event, as a row keeps it: sealed, and only that. */
import { onlySealed } from '../../events/core/codec.js';
import type { JsonObject, StoredEvent } from '../../events/core/log.js';

/** Sealed members of an event, with the event's id, which they are bound to. */
export interface SealedMembers {
  readonly id: string;
  readonly data: JsonObject;
}

export const sealedMembersOf = ({ id, data }: StoredEvent): SealedMembers => ({ id, data: onlySealed(data) });

/** What is personal in an event, as a row keeps it: sealed, and only that. */
import { onlySealed, sealedOf, unseal, type KeyRing } from '../../events/core/codec.js';
import type { JsonObject, StoredEvent } from '../../events/core/log.js';

/** Sealed members of an event, with the event's id, which they are bound to. */
export interface SealedMembers {
  readonly id: string;
  readonly data: JsonObject;
}

/** The whole data of an event, open members and sealed ones. */
export const keptDataOf = ({ id, data }: StoredEvent): SealedMembers => ({ id, data });

export const sealedMembersOf = ({ id, data }: StoredEvent): SealedMembers => ({ id, data: onlySealed(data) });

/**
 * Rows with what is personal opened, as far as the keys allow: `sealed` gives way to its members, of which a later event
 * overrides an earlier one.
 */
export async function openRows<Opened, Row extends { readonly sealed: readonly SealedMembers[] }>(
  rows: readonly Row[],
  keyRing: KeyRing,
): Promise<(Omit<Row, 'sealed'> & Opened)[]> {
  const subjects = rows.flatMap(({ sealed }) => sealed.flatMap(({ data }) => sealedOf(data)?.subject ?? []));
  const keys = await keyRing.existing([...new Set(subjects)]);
  return rows.map(({ sealed, ...row }) =>
    Object.assign(row, ...(sealed.map(({ id, data }) => unseal(data, id, keys)) as object[])),
  );
}

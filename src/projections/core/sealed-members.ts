/** Encrypted personal data of events, as rows store it. */
import { onlySealed, sealedOf, unseal, type KeyRing } from '../../events/core/codec.js';
import type { JsonObject, StoredEvent } from '../../events/core/log.js';

/** The encrypted members of an event, and the id of the event. The encryption is bound to that id. */
export interface SealedMembers {
  readonly id: string;
  readonly data: JsonObject;
}

/** The whole data of an event: plaintext and encrypted members. */
export const sealedDataOf = ({ id, data }: StoredEvent): SealedMembers => ({ id, data });

export const sealedMembersOf = ({ id, data }: StoredEvent): SealedMembers => ({ id, data: onlySealed(data) });

/**
 * Decrypts the personal data of rows, as far as the keys exist. The decrypted members replace `sealed`. A member of a
 * later event overrides that of an earlier one.
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

/**
 * The entry of an address book that has an address, by a keyed hash of the address. A save claims the address before it
 * appends an event. Simultaneous saves of one address therefore write to the same stream, and the log decides.
 */
import type { Pool } from 'pg';
import type { AddressOwner } from '../../events/addresses/normal-form.js';

export interface AddressKeys {
  /** The entry with this address, if it is known. */
  find(owner: AddressOwner, key: Buffer): Promise<number | undefined>;
  /** Claims the address for an entry. Returns the entry that has the address: an earlier one, or this one. */
  claim(owner: AddressOwner, key: Buffer, id: number): Promise<number>;
  /** Passes the claim of the entry `from` to the entry `to`. Returns the entry that has the claim after the call. */
  replace(owner: AddressOwner, key: Buffer, entries: { readonly from: number; readonly to: number }): Promise<number>;
  /** Replaces the claims of an entry by a claim of this address, unless another entry has it. */
  move(owner: AddressOwner, key: Buffer, id: number): Promise<void>;
  /** Deletes the claims of an entry. */
  release(id: number): Promise<void>;
  /** Deletes claims whose save was interrupted. */
  sweep(): Promise<number>;
}

/** Longer than any delay of the follower that confirms claims. */
const PENDING = '1 day';

const CLAIM = `
  insert into address_search.keys as k (business, customer, key, address_id, pending_since) values ($1, $2, $3, $4, now())
  on conflict (business, customer, key) do update set
    address_id = case when k.address_id = $5 then $4 else k.address_id end,
    pending_since = case when k.address_id = $5 then now() else k.pending_since end
  returning address_id`;

const ownerOf = ({ business, customerId }: AddressOwner): readonly [number, number] => [business, customerId ?? 0];

export function createAddressKeys(pool: Pool): AddressKeys {
  /** `from`: the entry that may lose the address. */
  async function claim(owner: AddressOwner, key: Buffer, id: number, from: number): Promise<number> {
    const { rows } = await pool.query<{ address_id: number }>(CLAIM, [...ownerOf(owner), key, id, from]);
    return rows[0]!.address_id;
  }
  return {
    async find(owner, key) {
      const { rows } = await pool.query<{ address_id: number }>(
        'select address_id from address_search.keys where business = $1 and customer = $2 and key = $3',
        [...ownerOf(owner), key],
      );
      return rows[0]?.address_id;
    },
    claim: (owner, key, id) => claim(owner, key, id, id),
    replace: (owner, key, { from, to }) => claim(owner, key, to, from),
    async move(owner, key, id) {
      await pool.query(
        `with other as (delete from address_search.keys where address_id = $4 and key <> $3)
         insert into address_search.keys (business, customer, key, address_id) values ($1, $2, $3, $4) on conflict do nothing`,
        [...ownerOf(owner), key, id],
      );
    },
    async release(id) {
      await pool.query('delete from address_search.keys where address_id = $1', [id]);
    },
    async sweep() {
      const { rowCount } = await pool.query(
        'delete from address_search.keys where pending_since < now() - $1::interval',
        [PENDING],
      );
      return rowCount ?? 0;
    },
  };
}

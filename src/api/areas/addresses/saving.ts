/** Changes of address books that keep each address once. */
import { createdEventId, type AddressCommand } from '../../../commands/addresses/decider.js';
import { DomainError } from '../../../commands/core/domain-error.js';
import type { Cause, Handle, Handled } from '../../../commands/core/handle.js';
import type { AddressKeys } from '../../../engines/postgres/address-keys.js';
import { addressStream, type AddressEntry } from '../../../events/addresses/events.js';
import type { AddressKeyOf, AddressOwner } from '../../../events/addresses/normal-form.js';
import type { Position } from '../../../events/core/log.js';
import type { AddressQueries } from '../../../projections/addresses/queries.js';
import type { OpenedEntry } from '../../../projections/addresses/search.js';
import { ApiError } from '../../core/errors.js';

/** Maximum number of entries of an owner. */
const MAX_ENTRIES = 50_000;
/** Each attempt after the first follows another user's change of the same address. */
const MAX_ATTEMPTS = 10;

export interface SavingOptions {
  readonly handle: Handle<AddressCommand, undefined>;
  readonly queries: Pick<AddressQueries, 'hasEntries'>;
  readonly keys: AddressKeys;
  readonly keyOf: AddressKeyOf;
  /** Reads entries from the log, because read models lag behind. */
  readonly openEntries: (streams: readonly string[]) => Promise<readonly OpenedEntry[]>;
}

/** A request to create an entry. `id`: reserved for it. */
export interface NewEntry {
  readonly id: number;
  readonly owner: AddressOwner;
  readonly entry: AddressEntry;
  readonly commandId: string;
}

/** `existing`: the owner already had an entry with this address, which is unchanged. */
export interface Saved {
  readonly id: number;
  readonly existing: boolean;
  readonly position: Position | undefined;
}

export type Saving = ReturnType<typeof createSaving>;

export function createSaving({ handle, queries, keys, keyOf, openEntries }: SavingOptions) {
  /**
   * Creates the entry, unless the owner has one with the same normalized address. Simultaneous calls with one address
   * create one entry: the claim of the address determines its stream, and the stream is created once.
   */
  async function save(requested: NewEntry, cause: Cause): Promise<Saved> {
    const { owner, entry, id: ownId } = requested;
    const key = keyOf(owner, entry.address);
    if (cause.dryRun) return previewed(requested, key, cause);
    let id = await keys.claim(owner, key, ownId);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const holder = id === ownId ? 'none' : await holderOf(id, owner, key);
      const saved = holder === 'former' ? undefined : await saveAs(id, holder, requested, cause);
      if (saved) return saved;
      id = await keys.replace(owner, key, { from: id, to: ownId });
    }
    throw new ApiError('CONFLICT');
  }

  /** Undefined: the entry was removed in the meantime. */
  async function saveAs(
    id: number,
    holder: 'current' | 'none',
    requested: NewEntry,
    cause: Cause,
  ): Promise<Saved | undefined> {
    try {
      if (holder === 'none') await expectSpace(requested.owner);
      const { changed, position } = await send({ ...requested, id }, cause);
      return { id, existing: !changed && !(await isCreatedBy(requested.commandId, id)), position };
    } catch (error) {
      if (error instanceof DomainError && error.code === 'ADDRESS_NOT_FOUND') return undefined;
      // Nothing was written under this id.
      if (error instanceof ApiError && id === requested.id) await keys.release(id);
      throw error;
    }
  }

  /**
   * A retry of the command that created the entry changes nothing. The same applies to a save that another save
   * overtook.
   */
  async function isCreatedBy(commandId: string, id: number): Promise<boolean> {
    const [entry] = await openEntries([addressStream(id)]);
    return entry?.createdBy === createdEventId(id, commandId);
  }

  async function previewed(requested: NewEntry, key: Buffer, cause: Cause): Promise<Saved> {
    const { owner } = requested;
    const id = await keys.find(owner, key);
    if (id !== undefined && (await holderOf(id, owner, key)) === 'current')
      return { id, existing: true, position: undefined };
    await expectSpace(owner);
    const { position } = await send(requested, cause);
    return { id: requested.id, existing: false, position };
  }

  /** `current`: the entry exists and has the address. `former`: it is removed, erased or has another address. */
  async function holderOf(id: number, owner: AddressOwner, key: Buffer): Promise<'current' | 'former' | 'none'> {
    const [entry] = await openEntries([addressStream(id)]);
    if (!entry) return 'none';
    return !entry.removed && entry.address && keyOf(owner, entry.address).equals(key) ? 'current' : 'former';
  }

  async function expectSpace(owner: AddressOwner): Promise<void> {
    if (await queries.hasEntries(MAX_ENTRIES, owner))
      throw new ApiError('INVALID_INPUT', {
        errors: [{ field: 'address', path: '/address', code: 'TOO_MANY_ITEMS', params: { max: MAX_ENTRIES } }],
      });
  }

  const send = ({ id, owner, entry, commandId }: NewEntry, cause: Cause): Promise<Handled<undefined>> =>
    handle(
      addressStream(id),
      { do: 'save', id, business: owner.business, customerId: owner.customerId ?? undefined, commandId, entry },
      cause,
    );

  return {
    save,
    /** A text that only addresses with the same normal form share. */
    keyTextOf: (owner: AddressOwner, { address }: Pick<AddressEntry, 'address'>): string =>
      keyOf(owner, address).toString('hex'),
    /** The entry has another address from now on. */
    changed: async (id: number, owner: AddressOwner, address: AddressEntry['address'] | undefined): Promise<void> =>
      address && keys.move(owner, keyOf(owner, address), id),
    removed: (id: number): Promise<void> => keys.release(id),
  };
}

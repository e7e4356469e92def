/** Copies entries of the address book into the stops of new orders and shipments. */
import DataLoader from 'dataloader';
import type { AddressOwner } from '../../../events/addresses/normal-form.js';
import type { Stop } from '../../../events/orders/events.js';
import type { AddressQueries } from '../../../projections/addresses/queries.js';
import { ApiError, type FieldError } from '../../core/errors.js';
import { STOP_NAMES, type OrderInput, type OrderWithStops } from './input.js';

/** An address, or an entry of the address book. */
interface StopOrEntry {
  readonly address_id?: number | undefined;
}
/** A stop without a reference to the address book. `addressId`: the entry that was copied. */
export interface CopiedStop<S> {
  readonly stop: Omit<S, 'address_id'> | Stop;
  readonly addressId: number | undefined;
}
/** The stops with copies of the entries that they name. Throws INVALID_INPUT for entries of other owners. */
export type CopyEntries = <S extends StopOrEntry, Name extends string>(
  stops: Readonly<Partial<Record<Name, S | undefined>>>,
  owner: AddressOwner,
) => Promise<Partial<Record<Name, CopiedStop<S>>>>;

/** The order with copies of the entries that its stops name. Throws INVALID_INPUT for entries of other owners. */
export type CopyStops = (order: OrderInput, owner: AddressOwner) => Promise<OrderWithStops>;

interface Named {
  readonly id: number;
  readonly owner: AddressOwner;
}

/** Maximum number of entries that one query reads. */
const BATCH_SIZE = 500;

const keyOf = ({ business, customerId }: AddressOwner): string => `${business} ${customerId}`;

/** The entries of all shipments that are created at the same time are read together. */
export function createCopyEntries(queries: Pick<AddressQueries, 'byIds'>): CopyEntries {
  const entries = new DataLoader<Named, Stop | undefined>(
    async (named) => {
      const books = new Map(named.map(({ owner }) => [keyOf(owner), owner]));
      const found = new Map<string, Awaited<ReturnType<AddressQueries['byIds']>>>();
      for (const [key, owner] of books) {
        const ids = named.filter((one) => keyOf(one.owner) === key).map(({ id }) => id);
        found.set(key, await queries.byIds(ids, owner));
      }
      return named.map(({ id, owner }) => found.get(keyOf(owner))!.get(id)?.address);
    },
    { cache: false, maxBatchSize: BATCH_SIZE },
  );

  return async <S extends StopOrEntry, Name extends string>(
    stops: Readonly<Partial<Record<Name, S | undefined>>>,
    owner: AddressOwner,
  ) => {
    const errors: FieldError[] = [];
    const given = (Object.entries(stops) as [Name, S | undefined][]).filter(([, stop]) => stop !== undefined);
    const copied = await Promise.all(
      given.map(async ([name, stop]) => {
        const { address_id: addressId, ...address } = stop!;
        if (addressId === undefined) return [name, { stop: address, addressId }];
        const copy = await entries.load({ id: addressId, owner });
        // Without its key, an entry has no street: it is erased.
        if (copy?.street === undefined)
          errors.push({ field: 'address_id', path: `/${name}/address_id`, code: 'ADDRESS_NOT_FOUND' });
        return [name, { stop: copy, addressId }];
      }),
    );
    if (errors.length > 0) throw new ApiError('INVALID_INPUT', { errors });
    return Object.fromEntries(copied) as Partial<Record<Name, CopiedStop<S>>>;
  };
}

export function createCopyStops(queries: Pick<AddressQueries, 'byIds'>): CopyStops {
  const copyEntries = createCopyEntries(queries);
  return async ({ pickup, delivery, ...order }, owner) => {
    const copied = await copyEntries({ pickup, delivery }, owner);
    const stops = STOP_NAMES.flatMap((name) => {
      const { stop, addressId } = copied[name] ?? {};
      return [...(stop ? [[name, stop]] : []), ...(addressId === undefined ? [] : [[`${name}_address_id`, addressId]])];
    });
    return { ...order, ...Object.fromEntries(stops) } as OrderWithStops;
  };
}

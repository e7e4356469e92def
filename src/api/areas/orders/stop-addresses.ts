/** Copies entries of the address book into the stops of new orders. */
import DataLoader from 'dataloader';
import type { AddressOwner } from '../../../events/addresses/normal-form.js';
import type { Stop } from '../../../events/orders/events.js';
import type { AddressQueries } from '../../../projections/addresses/queries.js';
import { ApiError, type FieldError } from '../../core/errors.js';
import { STOP_NAMES, type OrderInput, type OrderWithStops } from './input.js';

/** The order with copies of the entries that its stops name. Throws INVALID_INPUT for entries of other owners. */
export type CopyStops = (order: OrderInput, owner: AddressOwner) => Promise<OrderWithStops>;

interface Named {
  readonly id: number;
  readonly owner: AddressOwner;
}

/** Maximum number of entries that one query reads. */
const BATCH_SIZE = 500;

const keyOf = ({ business, customerId }: AddressOwner): string => `${business} ${customerId}`;

/** The entries of all orders that are created at the same time are read together. */
export function createCopyStops(queries: Pick<AddressQueries, 'byIds'>): CopyStops {
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

  return async ({ pickup, delivery, ...order }, owner) => {
    const errors: FieldError[] = [];
    const stops = { pickup, delivery };
    const copied = await Promise.all(
      STOP_NAMES.map(async (name) => {
        const { address_id: id, ...address } = stops[name] ?? {};
        if (stops[name] === undefined) return {};
        if (id === undefined) return { [name]: address };
        const copy = await entries.load({ id, owner });
        // Without its key, an entry has no street: it is erased.
        if (copy?.street === undefined)
          errors.push({ field: 'address_id', path: `/${name}/address_id`, code: 'ADDRESS_NOT_FOUND' });
        return { [name]: copy, [`${name}_address_id`]: id };
      }),
    );
    if (errors.length > 0) throw new ApiError('INVALID_INPUT', { errors });
    return Object.assign(order, ...copied) as OrderWithStops;
  };
}

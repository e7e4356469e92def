/** Which of its things a business shows by a grant. */
import { z } from 'zod';
import { PLACES, type GrantFilter, type GrantKind } from '../../../events/alliances/events.js';
import { ORDER_TYPES } from '../../../events/orders/contents.js';
import type { DatasetQueries } from '../../../projections/datasets/queries.js';
import { ApiError, invalidField } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { categoryInput } from '../pois/shapes.js';

const some = <S extends z.ZodType>(schema: S) => z.array(schema).min(1).max(100).optional();

export const filterInput = z
  .strictObject({
    customer_ids: some(idSchema),
    order_types: z.array(z.enum(ORDER_TYPES)).min(1).max(ORDER_TYPES.length).optional(),
    postal_prefixes: some(z.string().trim().min(1).max(10)).describe('How the postal code of the delivery begins.'),
    poi_categories: some(categoryInput).describe('Of `network`: points of interest of these categories.'),
    places: z
      .array(z.enum(PLACES))
      .min(1)
      .max(PLACES.length)
      .optional()
      .describe('Of `network`. Absent: both; with `poi_categories` points of interest alone.'),
    dataset_ids: some(idSchema).describe('Of `datasets`: which of them.'),
  })
  .default({})
  .describe('Which things: those that fit all members of it, judged when they are read. Empty: all.');

const OF_ORDERS = ['customer_ids', 'order_types', 'postal_prefixes'] as const;
const MEMBERS: Readonly<Record<GrantKind, readonly (keyof GrantFilter)[]>> = {
  tracking: OF_ORDERS,
  tracking_full: OF_ORDERS,
  orders: OF_ORDERS,
  network: ['poi_categories', 'places'],
  datasets: ['dataset_ids'],
};

/**
 * The filter as it is granted. Throws for a member that says nothing about the kind, and DATASET_NOT_FOUND for a dataset
 * that is not the giver's.
 */
export function createFilterCheck(datasets: Pick<DatasetQueries, 'byId'>) {
  return async (kind: GrantKind, filter: GrantFilter, giver: number): Promise<GrantFilter> => {
    const given = Object.keys(filter) as (keyof GrantFilter)[];
    const odd = given.find((member) => filter[member] !== undefined && !MEMBERS[kind].includes(member));
    if (odd) throw invalidField('INVALID_FORM', odd, `/filter/${odd}`);
    if (kind === 'network') return { ...filter, places: placesOf(filter) };
    if (kind !== 'datasets') return filter;
    if (!filter.dataset_ids) throw invalidField('REQUIRED', 'dataset_ids', '/filter/dataset_ids');
    const found = await Promise.all(filter.dataset_ids.map((id) => datasets.byId(id, giver)));
    if (found.includes(undefined)) throw new ApiError('DATASET_NOT_FOUND');
    return filter;
  };
}

/** A warehouse has no category, so it fits no filter that asks for some. */
function placesOf({ poi_categories, places }: GrantFilter): NonNullable<GrantFilter['places']> {
  if (!poi_categories) return places ?? [...PLACES];
  if (places?.includes('warehouse')) throw invalidField('INVALID_FORM', 'places', '/filter/places');
  return ['poi'];
}

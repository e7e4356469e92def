/** Filters of grants: they select the data that a grant makes visible to other businesses. */
import { z } from 'zod';
import { PLACES, type GrantFilter, type GrantKind } from '../../../events/alliances/events.js';
import { ORDER_TYPES } from '../../../events/orders/contents.js';
import type { DatasetQueries } from '../../../projections/datasets/queries.js';
import { ApiError, invalidField, invalidForm } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { categoryInput } from '../pois/shapes.js';

const optionalList = <S extends z.ZodType>(schema: S) => z.array(schema).min(1).max(100).optional();

export const filterInput = z
  .strictObject({
    customer_ids: optionalList(idSchema),
    order_types: z.array(z.enum(ORDER_TYPES)).min(1).max(ORDER_TYPES.length).optional(),
    postal_prefixes: optionalList(z.string().trim().min(1).max(10)).describe(
      'Prefixes of the postal code of the delivery address.',
    ),
    poi_categories: optionalList(categoryInput).describe(
      'Categories of points of interest. Allowed only for `network`.',
    ),
    places: z
      .array(z.enum(PLACES))
      .min(1)
      .max(PLACES.length)
      .optional()
      .describe(
        'Types of places. Allowed only for `network`. Default: both; with `poi_categories`, only points of interest.',
      ),
    dataset_ids: optionalList(idSchema).describe(
      'Ids of the datasets. Required for `datasets`, and only allowed there.',
    ),
  })
  .meta({ id: 'AllianceGrantFilterInput' })
  .default({})
  .describe(
    'Selects the data that match all members of the filter. The service evaluates the filter at each read. Empty: all data of the kind.',
  );

const ORDER_FILTERS = ['customer_ids', 'order_types', 'postal_prefixes'] as const;
const FILTERS_BY_KIND: Readonly<Record<GrantKind, readonly (keyof GrantFilter)[]>> = {
  tracking: ORDER_FILTERS,
  tracking_full: ORDER_FILTERS,
  orders: ORDER_FILTERS,
  network: ['poi_categories', 'places'],
  datasets: ['dataset_ids'],
};

/**
 * Returns the filter to store with the grant. Throws INVALID_FORM for a member that does not apply to the kind,
 * REQUIRED for missing dataset ids, and DATASET_NOT_FOUND for a dataset that does not belong to the giver.
 */
export function createFilterCheck(datasets: Pick<DatasetQueries, 'byId'>) {
  return async (kind: GrantKind, filter: GrantFilter, grantor: number): Promise<GrantFilter> => {
    const memberNames = Object.keys(filter) as (keyof GrantFilter)[];
    const disallowed = memberNames.find(
      (member) => filter[member] !== undefined && !FILTERS_BY_KIND[kind].includes(member),
    );
    if (disallowed) throw invalidForm(disallowed, `absent if \`kind\` is \`${kind}\``, `/filter/${disallowed}`);
    if (kind === 'network') return { ...filter, places: placesOf(filter) };
    if (kind !== 'datasets') return filter;
    if (!filter.dataset_ids) throw invalidField('REQUIRED', 'dataset_ids', '/filter/dataset_ids');
    const found = await Promise.all(filter.dataset_ids.map((id) => datasets.byId(id, grantor)));
    if (found.includes(undefined)) throw new ApiError('DATASET_NOT_FOUND');
    return filter;
  };
}

/** A warehouse has no category, so it never matches a filter with categories. */
function placesOf({ poi_categories, places }: GrantFilter): NonNullable<GrantFilter['places']> {
  if (!poi_categories) return places ?? [...PLACES];
  if (places?.includes('warehouse'))
    throw invalidForm('places', 'without `warehouse` if `poi_categories` is present', '/filter/places');
  return ['poi'];
}

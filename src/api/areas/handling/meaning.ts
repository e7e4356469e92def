/** What a scanned code means: a parcel of an order, a SKU. Another business's means nothing. */
import { DomainError } from '../../../commands/core/domain-error.js';
import { isFinal } from '../../../events/orders/status.js';
import type { ParcelMeant, ParcelQueries } from '../../../projections/handling/queries.js';
import type { StockQueries } from '../../../projections/stock/queries.js';
import type { StockRow } from '../../../projections/stock/read-model.js';
import { formsOf } from './codes.js';

export type Meaning =
  | { readonly kind: 'package'; readonly parcel: ParcelMeant }
  /** `at`: in each warehouse that has had it. */
  | { readonly kind: 'sku'; readonly sku: StockRow; readonly at: readonly StockRow[] };

export interface MeaningOptions {
  readonly parcels: Pick<ParcelQueries, 'meant'>;
  readonly stock: Pick<StockQueries, 'meant'>;
}

/** Whose eyes: a business's; a driver sees only what is on the own routes, and no stock. */
export interface Eyes {
  readonly business: number;
  readonly driverId?: number | undefined;
}

/** The meanings of each code, asked for together; several where nobody can tell which is meant. */
export async function meaningsOf(
  codes: readonly string[],
  eyes: Eyes,
  { parcels, stock }: MeaningOptions,
): Promise<ReadonlyMap<string, readonly Meaning[]>> {
  const forms = new Map([...new Set(codes)].map((code) => [code, formsOf(code)]));
  const all = [...new Set([...forms.values()].flat())];
  const [meant, skus] = await Promise.all([
    parcels.meant(all, eyes),
    eyes.driverId === undefined ? stock.meant(all, eyes.business) : [],
  ]);
  return new Map(
    [...forms].map(([code, named]) => [
      code,
      oneOf(
        meant.filter((parcel) => named.includes(parcel.code)),
        skus.filter(({ sku, barcodes }) => named.some((form) => form === sku || barcodes.includes(form))),
      ),
    ]),
  );
}

/** Our own numbers mean one parcel; of those that others gave, the ones under way come first. */
function oneOf(parcels: readonly ParcelMeant[], skus: readonly StockRow[]): Meaning[] {
  const own = parcels.find((parcel) => parcel.own);
  if (own) return [{ kind: 'package', parcel: own }];
  const underWay = parcels.filter(({ status }) => !isFinal(status));
  const meant = underWay.length > 0 ? underWay : parcels.slice(0, 1);
  const names = [...new Set(skus.map(({ sku }) => sku))];
  return [
    ...meant.map((parcel): Meaning => ({ kind: 'package', parcel })),
    ...names.map((name): Meaning => {
      const at = skus.filter(({ sku }) => sku === name);
      return { kind: 'sku', sku: at[0]!, at };
    }),
  ];
}

/** Throws rather than guess. */
export function onlyOne(meanings: readonly Meaning[]): Meaning {
  if (meanings.length === 0) throw new DomainError('CODE_UNKNOWN');
  if (meanings.length > 1)
    throw new DomainError('AMBIGUOUS_NUMBER', {
      numbers: meanings.map((one) => (one.kind === 'package' ? one.parcel.tracking_number : one.sku.sku)).join(', '),
    });
  return meanings[0]!;
}

/** What an answer names of it. */
export const about = (meant: Meaning | undefined) =>
  meant === undefined
    ? {}
    : meant.kind === 'package'
      ? { order_id: meant.parcel.order_id, tracking_number: meant.parcel.tracking_number }
      : { sku: meant.sku.sku };

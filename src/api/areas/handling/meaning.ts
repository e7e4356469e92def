/** Finds the meaning of a scanned code: a parcel or a SKU. Codes of other businesses have no meaning. */
import { DomainError } from '../../../commands/core/domain-error.js';
import { isFinal } from '../../../events/orders/status.js';
import type { ParcelMatch, ParcelQueries } from '../../../projections/handling/queries.js';
import type { StockQueries } from '../../../projections/stock/queries.js';
import type { StockRow } from '../../../projections/stock/read-model.js';
import { formsOf } from './codes.js';

export type Meaning =
  | { readonly kind: 'package'; readonly parcel: ParcelMatch }
  /** `at`: rows of all warehouses that have ever stocked the SKU. */
  | { readonly kind: 'sku'; readonly sku: StockRow; readonly at: readonly StockRow[] };

export interface MeaningOptions {
  readonly parcels: Pick<ParcelQueries, 'byCodes'>;
  readonly stock: Pick<StockQueries, 'byCodes'>;
}

/** Visibility: the data of a business; with `driverId`, only parcels on routes of the driver, and no stock. */
export interface Eyes {
  readonly business: number;
  readonly driverId?: number | undefined;
}

/** The meanings of each code, read together. An ambiguous code has several. */
export async function meaningsOf(
  codes: readonly string[],
  eyes: Eyes,
  { parcels, stock }: MeaningOptions,
): Promise<ReadonlyMap<string, readonly Meaning[]>> {
  const forms = new Map([...new Set(codes)].map((code) => [code, formsOf(code)]));
  const all = [...new Set([...forms.values()].flat())];
  const [meant, skus] = await Promise.all([
    parcels.byCodes(all, eyes),
    eyes.driverId === undefined ? stock.byCodes(all, eyes.business) : [],
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

/** A number of this service identifies one parcel. Among parcels with external numbers, active ones take precedence. */
function oneOf(parcels: readonly ParcelMatch[], skus: readonly StockRow[]): Meaning[] {
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

/** The only meaning. Throws CODE_UNKNOWN, and AMBIGUOUS_NUMBER if there are several. */
export function onlyOne(meanings: readonly Meaning[]): Meaning {
  if (meanings.length === 0) throw new DomainError('CODE_UNKNOWN');
  if (meanings.length > 1)
    throw new DomainError('AMBIGUOUS_NUMBER', {
      numbers: meanings.map((one) => (one.kind === 'package' ? one.parcel.tracking_number : one.sku.sku)).join(', '),
    });
  return meanings[0]!;
}

/** Ids of the scanned thing for the response. */
export const about = (meant: Meaning | undefined) =>
  meant === undefined
    ? {}
    : meant.kind === 'package'
      ? { order_id: meant.parcel.order_id, tracking_number: meant.parcel.tracking_number }
      : { sku: meant.sku.sku };

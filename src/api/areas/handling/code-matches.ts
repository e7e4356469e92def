/** Finds the meaning of a scanned code: a parcel or a SKU. Codes of other businesses have no meaning. */
import { DomainError } from '../../../commands/core/domain-error.js';
import { isFinal } from '../../../events/orders/status.js';
import type { ParcelMatch, ParcelQueries } from '../../../projections/handling/queries.js';
import type { StockQueries } from '../../../projections/stock/queries.js';
import type { StockRow } from '../../../projections/stock/read-model.js';
import { variantsOf } from './codes.js';

export type CodeMatch =
  | { readonly kind: 'package'; readonly parcel: ParcelMatch }
  /** `at`: rows of all warehouses that have ever stocked the SKU. */
  | { readonly kind: 'sku'; readonly sku: StockRow; readonly at: readonly StockRow[] };

export interface CodeSources {
  readonly parcels: Pick<ParcelQueries, 'byCodes'>;
  readonly stock: Pick<StockQueries, 'byCodes'>;
}

/** Visibility: the data of a business; with `driverId`, only parcels on routes of the driver, and no stock. */
export interface CodeViewer {
  readonly business: number;
  readonly driverId?: number | undefined;
}

/** The meanings of each code, read together. An ambiguous code has several. */
export async function matchCodes(
  codes: readonly string[],
  viewer: CodeViewer,
  { parcels, stock }: CodeSources,
): Promise<ReadonlyMap<string, readonly CodeMatch[]>> {
  const variantsByCode = new Map([...new Set(codes)].map((code) => [code, variantsOf(code)]));
  const allVariants = [...new Set([...variantsByCode.values()].flat())];
  const [parcelMatches, skus] = await Promise.all([
    parcels.byCodes(allVariants, viewer),
    viewer.driverId === undefined ? stock.byCodes(allVariants, viewer.business) : [],
  ]);
  return new Map(
    [...variantsByCode].map(([code, variants]) => [
      code,
      matchesOf(
        parcelMatches.filter((parcel) => variants.includes(parcel.code)),
        skus.filter(({ sku, barcodes }) => variants.some((variant) => variant === sku || barcodes.includes(variant))),
      ),
    ]),
  );
}

/** A number of this service identifies one parcel. Among parcels with external numbers, active ones take precedence. */
function matchesOf(parcels: readonly ParcelMatch[], skus: readonly StockRow[]): CodeMatch[] {
  const ownParcel = parcels.find((parcel) => parcel.own);
  if (ownParcel) return [{ kind: 'package', parcel: ownParcel }];
  const openParcels = parcels.filter(({ status }) => !isFinal(status));
  const candidates = openParcels.length > 0 ? openParcels : parcels.slice(0, 1);
  const names = [...new Set(skus.map(({ sku }) => sku))];
  return [
    ...candidates.map((parcel): CodeMatch => ({ kind: 'package', parcel })),
    ...names.map((name): CodeMatch => {
      const at = skus.filter(({ sku }) => sku === name);
      return { kind: 'sku', sku: at[0]!, at };
    }),
  ];
}

/** The only meaning. Throws CODE_UNKNOWN, and AMBIGUOUS_NUMBER if there are several. */
export function expectOneMatch(matches: readonly CodeMatch[]): CodeMatch {
  if (matches.length === 0) throw new DomainError('CODE_UNKNOWN');
  if (matches.length > 1)
    throw new DomainError('AMBIGUOUS_NUMBER', {
      numbers: matches.map((one) => (one.kind === 'package' ? one.parcel.tracking_number : one.sku.sku)).join(', '),
    });
  return matches[0]!;
}

/** Ids of the scanned item for the response. */
export const matchFields = (match: CodeMatch | undefined) =>
  match === undefined
    ? {}
    : match.kind === 'package'
      ? { order_id: match.parcel.order_id, tracking_number: match.parcel.tracking_number }
      : { sku: match.sku.sku };

/** Checks the shipment of a request and converts it to the form that carriers get. */
import type { AddressOwner } from '../../../events/addresses/normal-form.js';
import { compact } from '../../../events/core/compact.js';
import { addDays, localDate } from '../../../events/core/local-time.js';
import type {
  CarrierPackage,
  CarrierShipment,
  CarrierStop,
  Customs,
} from '../../../engines/outside/carriers/shipment.js';
import type { WarehouseQueries } from '../../../projections/warehouses/queries.js';
import { ApiError, fieldError, formatError, invalidField, type FieldError } from '../../core/errors.js';
import { exactMoney } from '../../core/money.js';
import { mixedErrors } from '../orders/input.js';
import type { CopyEntries } from '../orders/stop-addresses.js';
import { needsCustoms } from './customs-territories.js';
import { MAX_SHIP_DAYS, type ShipmentInput } from './shipment-input.js';

/** Who sends the shipment, and when the request was made. */
export interface ShipmentOf {
  readonly business: number;
  /** The address book of the caller: that of the business (`customerId` null), or of a customer. */
  readonly customerBook: number | null;
  readonly timezone: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

export interface ShipmentsOptions {
  readonly warehouses: Pick<WarehouseQueries, 'byId' | 'byDefault'>;
  readonly copyEntries: CopyEntries;
  readonly accounts: {
    enabled(business: number): Promise<readonly { readonly return_address?: Partial<CarrierStop> | undefined }[]>;
  };
}

/** Throws INVALID_INPUT, TOO_PRECISE, WAREHOUSE_NOT_FOUND, DIMENSIONS_NEEDED, CUSTOMS_NEEDED. */
export type Shipments = (input: ShipmentInput, of: ShipmentOf) => Promise<CarrierShipment>;

type PackageInput = ShipmentInput['packages'][number];

const STOPS = ['ship_from', 'ship_to', 'return_to'] as const;

export function createShipments({ warehouses, copyEntries, accounts }: ShipmentsOptions): Shipments {
  return async (input, of) => {
    const today = localDate(of.time, of.timezone);
    check(input, today);
    const owner: AddressOwner = { business: of.business, customerId: of.customerBook };
    const { ship_from, ship_to, return_to } = input;
    const stops = await copyEntries({ ship_from, ship_to, return_to }, owner);
    const from = stops.ship_from ? toStop(stops.ship_from.stop) : await senderOf(input.warehouse_id, of.business);
    const to = toStop(stops.ship_to!.stop);
    if (!input.customs && needsCustoms(from, to)) throw fieldError('CUSTOMS_NEEDED', 'customs');
    return {
      from,
      to,
      ...(stops.return_to && { return_to: toStop(stops.return_to.stop) }),
      packages: input.packages.map(toPackage),
      ship_date: input.ship_date ?? today,
      ...(input.order_ref !== undefined && { order_ref: input.order_ref }),
      options: compact({
        signature: input.signature,
        insurance_amount: input.insurance_amount,
        residential: input.is_residential,
        saturday: input.saturday_delivery,
        cod_amount: input.cod_amount,
      }),
      ...(input.customs && { customs: toCustoms(input.customs) }),
    };
  };

  /**
   * The address of the warehouse, or of the default one. A business without a default warehouse sends from the return
   * address of its first carrier account.
   */
  async function senderOf(given: number | undefined, business: number): Promise<CarrierStop> {
    const id = given ?? (await warehouses.byDefault(business));
    const warehouse = id === undefined ? undefined : await warehouses.byId(id, business);
    if (warehouse && !warehouse.closed) return toStop({ name: warehouse.name, ...warehouse.address });
    if (given !== undefined) throw fieldError('WAREHOUSE_NOT_FOUND', 'warehouse_id');
    const addresses = (await accounts.enabled(business)).map(({ return_address }) => return_address);
    const address = addresses.find((one) => one?.country !== undefined);
    if (!address) throw invalidField('REQUIRED', 'ship_from');
    return toStop(address);
  }
}

/** Throws INVALID_INPUT and DIMENSIONS_NEEDED. */
function check(input: ShipmentInput, today: string): void {
  const errors = [
    ...STOPS.flatMap((stop) => mixedErrors(input[stop], `/${stop}`)),
    ...warehouseErrors(input),
    ...dateErrors(input.ship_date, today),
    ...input.packages.flatMap(valueErrors),
  ];
  if (errors.length > 0) throw new ApiError('INVALID_INPUT', { errors });
  for (const [index, { length_cm, width_cm, height_cm }] of input.packages.entries()) {
    const sides = [length_cm, width_cm, height_cm].filter((side) => side !== undefined);
    if (sides.length !== 0 && sides.length !== 3)
      throw fieldError('DIMENSIONS_NEEDED', 'packages', { package: index + 1 }, `/packages/${index}`);
  }
}

const warehouseErrors = ({ ship_from, warehouse_id }: ShipmentInput): FieldError[] =>
  ship_from && warehouse_id !== undefined ? [formatError('warehouse_id', 'absent if `ship_from` is present')] : [];

function dateErrors(date: string | undefined, today: string): FieldError[] {
  const last = addDays(today, MAX_SHIP_DAYS);
  return date === undefined || (date >= today && date <= last)
    ? []
    : [formatError('ship_date', `a day from ${today} to ${last}`)];
}

const valueErrors = ({ declared_value, currency }: PackageInput, index: number): FieldError[] =>
  declared_value !== undefined && currency === undefined
    ? [{ field: 'currency', path: `/packages/${index}/currency`, code: 'REQUIRED' }]
    : [];

/** Throws TOO_PRECISE. */
function toPackage({ declared_value: amount, currency, ...one }: PackageInput, index: number): CarrierPackage {
  const value =
    amount !== undefined && currency !== undefined
      ? exactMoney({ amount, currency }, `/packages/${index}/declared_value`)
      : undefined;
  return {
    package_id: String(index + 1),
    ...compact(one),
    ...(value && { declared_value: value.amount, currency: value.currency }),
  };
}

/** The address without its position, which carriers do not get. */
function toStop({ position: _position, ...stop }: Partial<CarrierStop> & { readonly position?: unknown }): CarrierStop {
  return compact(stop) as CarrierStop;
}

/** Throws TOO_PRECISE. */
const toCustoms = ({
  contents_type: contents,
  incoterm,
  currency,
  items,
}: NonNullable<ShipmentInput['customs']>): Customs => ({
  contents,
  incoterm,
  items: items.map(({ unit_value, unit_weight_kg, origin_country, ...item }, index) => ({
    ...compact(item),
    value: exactMoney({ amount: unit_value, currency }, `/customs/items/${index}/unit_value`).amount,
    currency,
    weight_kg: unit_weight_kg,
    origin: origin_country,
  })),
});

const REQUIRED_FOR_LABELS = ['street', 'city'] as const;

/**
 * Checks that the stops have what a label prints. Rates need less, so quotes exist before the address is known. Throws
 * INVALID_INPUT.
 */
export function checkAddresses(shipment: CarrierShipment): void {
  const stops = { ship_from: shipment.from, ship_to: shipment.to, return_to: shipment.return_to };
  const errors = STOPS.flatMap((name) => {
    const stop = stops[name];
    if (!stop) return [];
    const missing: string[] = REQUIRED_FOR_LABELS.filter((member) => stop[member] === undefined);
    if (stop.name === undefined && stop.company === undefined) missing.unshift('name');
    return missing.map((field): FieldError => ({ field, path: `/${name}/${field}`, code: 'REQUIRED' }));
  });
  if (errors.length > 0) throw new ApiError('INVALID_INPUT', { errors });
}

/** Converts a shipment to the inputs of the calculation: addresses of warehouses, rounded positions, the distance. */
import type { PriceInputs } from '../../../events/pricing/inputs.js';
import { compact } from '../../../events/core/compact.js';
import { localDateTime } from '../../../events/core/local-time.js';
import type { WarehouseQueries } from '../../../projections/warehouses/queries.js';
import { ApiError, fieldError, type FieldError } from '../../core/errors.js';
import { isLocated, type Geocode } from '../datasets/geocode.js';
import { windowErrors } from '../orders/input.js';
import type { RateInput, RateStop } from './rate-input.js';
import type { RoadDistance } from './road-distance.js';

interface Warehouses {
  readonly warehouses: Pick<WarehouseQueries, 'byId' | 'byDefault'>;
}
export interface PricedInputsOptions extends Warehouses {
  /** Finds the positions of addresses of a business. */
  readonly geocode: (...of: Parameters<Geocode>) => ReturnType<Geocode>;
  readonly roadDistance: RoadDistance;
}

/** Where and when a price is requested. */
export interface Requested {
  readonly business: number;
  readonly timezone: string;
  /** Now, in milliseconds since 1970. */
  readonly time: number;
}
export interface Pricing extends Requested {
  /** The markup in the customer's terms; null: none. */
  readonly markupPercent: string | null;
  /** The tags of the customer. Absent: none. */
  readonly customerTags?: readonly string[];
  /** The factor of the card's distance prices; undefined: the card needs no distance. */
  readonly roadFactor: string | undefined;
}

/** Positions are stored with 0.001 degrees, about 100 m, so that a quote does not show which house it is for. */
const roundedDegrees = (degrees: number): number => Math.round(degrees * 1_000) / 1_000;

export type PricedInputs = ReturnType<typeof createPricedInputs>;

export function createPricedInputs({ warehouses, geocode, roadDistance }: PricedInputsOptions) {
  const shipmentOf = createPricedShipments({ warehouses });

  /** Throws INVALID_INPUT, WAREHOUSE_NOT_FOUND. */
  return async (input: RateInput, pricing: Pricing): Promise<PriceInputs> => {
    const { business, markupPercent, customerTags = [], roadFactor } = pricing;
    const { inputs, stops } = await shipmentOf(input, pricing);
    const located = roadFactor === undefined ? undefined : await positionsOf(business, ...stops);
    return compact({
      ...inputs,
      distance_km: located && (await roadDistance(...located, roadFactor!)),
      customer_tags: customerTags.length > 0 ? [...customerTags] : undefined,
      markup_percent: markupPercent ?? undefined,
    });
  };

  /** Positions of both stops, geocoded where the caller did not send them; undefined: one of them is unknown. */
  async function positionsOf(business: number, ...stops: readonly [RateStop, RateStop]) {
    const [from, to] = await Promise.all(
      stops.map(async ({ position, ...address }) => {
        if (position) return position;
        const [found] = await geocode(business, [address]);
        return isLocated(found) ? found.position : undefined;
      }),
    );
    return from && to ? ([from, to] as const) : undefined;
  }
}

/** The inputs that follow from the shipment alone: without the distance and the terms of the customer. */
export function createPricedShipments({ warehouses }: Warehouses) {
  /** Throws INVALID_INPUT, WAREHOUSE_NOT_FOUND. `stops`: in the direction of travel. */
  return async (input: RateInput, { business, timezone, time }: Requested) => {
    checkStops(input);
    const [date, clock] = localDateTime(time, timezone).split(' ') as [string, string];
    if (input.schedule_date !== undefined && input.schedule_date < date)
      throw new ApiError('INVALID_INPUT', {
        errors: [{ field: 'schedule_date', path: '/schedule_date', code: 'DATE_PAST', params: { today: date } }],
      });
    const stops = await stopsOf(input, business);
    const [from, to] = stops;
    const window = pricedWindow(input.time_windows);
    const inputs: PriceInputs = compact({
      from: placeOf(from),
      to: placeOf(to),
      packages: input.packages.map(measured),
      requested: { date, time: clock.slice(0, 5) },
      schedule_date: input.schedule_date,
      window: window && { start: window.from, end: window.to },
      service_codes: input.service_codes,
      options: input.options.length > 0 ? input.options : undefined,
      cod_amount: input.cod_amount,
      is_residential: input.is_residential,
    });
    return { inputs, stops };
  };

  /** The stops in the direction of travel. A warehouse is the missing stop of the types `D` and `P`. */
  async function stopsOf({ type, warehouse_id, pickup, delivery }: RateInput, business: number) {
    if (pickup && delivery) return [pickup, delivery] as const;
    const id = warehouse_id ?? (await warehouses.byDefault(business));
    const warehouse = id === undefined ? undefined : await warehouses.byId(id, business);
    if (!warehouse || warehouse.closed)
      throw warehouse_id === undefined
        ? new ApiError('INVALID_INPUT', {
            errors: [{ field: 'warehouse_id', path: '/warehouse_id', code: 'REQUIRED' }],
          })
        : fieldError('WAREHOUSE_NOT_FOUND', 'warehouse_id');
    const site = warehouse.address as RateStop;
    return type === 'P' ? ([pickup!, site] as const) : ([site, delivery!] as const);
  }
}

/** The time window that the price depends on: of the delivery, otherwise the first one. */
export const pricedWindow = <W extends { readonly stop: string }>(windows: readonly W[]): W | undefined =>
  windows.find(({ stop }) => stop === 'delivery') ?? windows[0];

/**
 * The stops of an order for its price. An order of type `D` starts at its warehouse, and one of type `P` ends there, so
 * an address that the order has for this stop in addition does not count.
 */
export const pricedStops = ({
  type,
  warehouse_id,
  pickup,
  delivery,
}: Pick<RateInput, 'type' | 'warehouse_id' | 'pickup' | 'delivery'>) => {
  const isAtWarehouse = warehouse_id !== undefined;
  return {
    type,
    warehouse_id,
    pickup: isAtWarehouse && type === 'D' ? undefined : pickup,
    delivery: isAtWarehouse && type === 'P' ? undefined : delivery,
  };
};

const REQUIRED = { D: ['delivery'], P: ['pickup'], P2P: ['pickup', 'delivery'] } as const;

function checkStops(input: RateInput): void {
  const missing = REQUIRED[input.type]
    .filter((stop) => input[stop] === undefined)
    .map((stop): FieldError => ({ field: stop, path: `/${stop}`, code: 'REQUIRED' }));
  const errors = [...missing, ...windowErrors(input.time_windows)];
  if (errors.length > 0) throw new ApiError('INVALID_INPUT', { errors });
}

/** Measures have three decimals, such as grams. They are rounded up, so that none becomes 0. */
function measured({ declared_value, ...sizes }: RateInput['packages'][number]) {
  const rounded = Object.entries(sizes).map(([name, value]) => [
    name,
    value === undefined ? value : inThousandths(value),
  ]);
  return compact({ ...(Object.fromEntries(rounded) as typeof sizes), declared_value });
}

/** Numbers such as 0.1 + 0.2 exceed their decimal value by far less than this. */
const TOLERANCE = 1e-6;
export const inThousandths = (value: number): number => Math.ceil(value * 1_000 - TOLERANCE) / 1_000;

/** Maximum length of a region in the inputs of a price. */
const MAX_REGION = 50;

const placeOf = ({ country, postal_code, region, position }: RateStop) =>
  compact({
    country,
    postal_code,
    region: region?.slice(0, MAX_REGION),
    position: position && {
      latitude: roundedDegrees(position.latitude),
      longitude: roundedDegrees(position.longitude),
    },
  });

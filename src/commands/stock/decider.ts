/** Decides commands on a SKU in a warehouse. Quantities never fall below zero, and reserved stock cannot be removed. */
import { count, onHand, reservedOf, type Balance } from '../../events/stock/balance.js';
import {
  SkuAdjusted,
  SkuCounted,
  SkuMoved,
  SkuOpened,
  SkuPicked,
  SkuReceived,
  SkuReserved,
  SkuUnreserved,
  STOCK_PREFIX,
  type Adjustment,
} from '../../events/stock/events.js';
import { quantityOf, unitsOf } from '../../events/stock/quantity.js';
import { DomainError } from '../core/domain-error.js';
import { entity, newEvent, type EntityCommand, type NewEvent } from '../core/entity.js';

export interface Sku {
  readonly warehouse_id: number;
  readonly sku: string;
  readonly name: string;
  readonly unit: string;
  readonly barcodes: string[];
}

/** Quantities are decimal numbers as text, greater than zero. */
export type StockChange =
  /** `sku`: the details with which a SKU is opened if it is new in the warehouse. */
  | {
      readonly do: 'receive';
      readonly sku: Sku;
      readonly location: string;
      readonly quantity: string;
      readonly ref?: string | undefined;
    }
  | { readonly do: 'move'; readonly from: string; readonly to: string; readonly quantity: string }
  | { readonly do: 'pick'; readonly location: string; readonly quantity: string; readonly ref?: string | undefined }
  | { readonly do: 'adjust'; readonly location: string; readonly quantity: string; readonly reason: Adjustment }
  | { readonly do: 'count'; readonly location: string; readonly counted: string }
  | { readonly do: 'reserve' | 'release'; readonly for: string; readonly quantity: string };

export type StockCommand = EntityCommand & StockChange & { readonly id: string };

/** Maximum number of simultaneous reservations of one SKU for different purposes. */
const MAX_RESERVATIONS = 1_000;

interface StockState extends Balance {
  opened: boolean;
}

export const stock = entity<StockState, StockCommand>({
  name: STOCK_PREFIX,
  makes: 'receive',
  madeOnce: false,
  notFound: 'SKU_NOT_FOUND',
  initial: () => ({ opened: false, locations: {}, reserved: {} }),
  decide(state, command) {
    const change = changeOf(state, command);
    if (!change) return undefined;
    const next: Balance = { locations: { ...state.locations }, reserved: { ...state.reserved } };
    count(next, { type: change.type.type, data: change.data });
    const [hand, reserved] = [onHand(next), reservedOf(next)];
    if (Object.values(next.locations).some((units) => units < 0)) throw new DomainError('NEGATIVE_STOCK');
    if (Object.values(next.reserved).some((units) => units < 0)) throw new DomainError('NEGATIVE_STOCK');
    if (reserved > hand)
      throw new DomainError('STOCK_RESERVED', { available: quantityOf(onHand(state) - reservedOf(state)) });
    const after = { on_hand: quantityOf(hand), available: quantityOf(hand - reserved) };
    const event: NewEvent = { type: change.type, data: { ...change.data, ...after } };
    if (state.opened || command.do !== 'receive') return event;
    return [newEvent(SkuOpened, { ...command.sku, business: command.business }), event];
  },
  evolve(state, event) {
    state.opened = true;
    count(state, event);
    return state;
  },
});

/** The event to record, without the resulting balance. */
function changeOf({ locations, reserved }: StockState, command: StockCommand): NewEvent | undefined {
  switch (command.do) {
    case 'receive': {
      const { location, quantity, ref } = command;
      return { type: SkuReceived as never, data: { location, quantity, ...(ref !== undefined && { ref }) } };
    }
    case 'pick': {
      const { location, quantity, ref } = command;
      return { type: SkuPicked as never, data: { location, quantity, ...(ref !== undefined && { ref }) } };
    }
    case 'move': {
      const { from, to, quantity } = command;
      return from === to ? undefined : { type: SkuMoved as never, data: { from, to, quantity } };
    }
    case 'adjust': {
      const { location, quantity, reason } = command;
      const sign = reason === 'damage' || reason === 'loss' ? '-' : '';
      const signed = quantity.startsWith('-') ? quantity : `${sign}${quantity}`;
      return { type: SkuAdjusted as never, data: { location, quantity: signed, reason } };
    }
    case 'count': {
      const { location, counted } = command;
      const was = quantityOf(locations[location] ?? 0);
      return { type: SkuCounted as never, data: { location, counted: quantityOf(unitsOf(counted)), was } };
    }
    case 'reserve': {
      if (!(command.for in reserved) && Object.keys(reserved).length >= MAX_RESERVATIONS)
        throw new DomainError('TOO_MANY_RESERVATIONS', { max: MAX_RESERVATIONS });
      return { type: SkuReserved as never, data: { for: command.for, quantity: command.quantity } };
    }
    case 'release':
      return { type: SkuUnreserved as never, data: { for: command.for, quantity: command.quantity } };
  }
}

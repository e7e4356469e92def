/** The input of an order, with its limits. `checkOrder` validates the requirements of each type of order. */
import { z } from 'zod';
import type { NewOrder } from '../../../commands/orders/decider.js';
import { ORDER_TYPES, type OrderType, type Stop } from '../../../events/orders/events.js';
import { withFormat } from '../../../events/core/format.js';
import { amountSchema } from '../../../events/core/money.js';
import { isDots, normalizeNumber } from '../../../events/otep/check/subject.js';
import { isCountry } from '../../../events/otep/countries.js';
import { ApiError, formatError, type FieldError } from '../../core/errors.js';
import { checkInput } from '../../core/check-input.js';
import { dateSchema } from '../../core/dates.js';
import { positionInput } from '../../core/geo.js';
import { idSchema } from '../../core/ids.js';
import { rateIdSchema } from '../pricing/rate-ids.js';
import { returnInput } from '../return-reasons/returns.js';
import { sizesInput, toStoredPackage } from './sizes.js';
import type { Operation } from '../../core/operation.js';

export const orderId = z.int().min(1).max(2_147_483_647);
/** Why an order is changed. */
export const changeReason = z.string().trim().min(1).max(500).optional();
export const orderRef = z.string().trim().min(1).max(100).describe('Reference that the client assigned to the order.');
/** A number to look up. Spaces and hyphens do not count, so it may be longer than a stored number. */
export const trackingNumber = z.string().trim().min(1).max(256);
const text = (max: number) => z.string().trim().min(1).max(max);

const COUNTRY = 'ISO 3166-1 alpha-2, such as DE';

export const countryInput = withFormat(z.string().length(2).refine(isCountry), COUNTRY).describe(`${COUNTRY}.`);

export const stopInput = z
  .strictObject({
    name: text(200),
    company: text(200).optional(),
    phone: text(32)
      .regex(/^[+0-9 ().\/-]+$/)
      .optional(),
    email: z.email().max(254).optional(),
    street: text(300),
    street_2: text(200).optional(),
    city: text(200),
    region: text(200).optional(),
    postal_code: text(20).optional(),
    country: countryInput,
    position: positionInput.optional().describe('Exact coordinates of the entrance, in WGS 84 degrees.'),
  })
  .meta({ id: 'AddressInput' });

const REQUIRED_OF_STOP = ['name', 'street', 'city', 'country'] as const;
export const addressId = idSchema.describe(
  'Entry of the address book to copy, instead of the other fields. Later changes of the entry do not affect the order.',
);

/** A stop of a new order: an address, or an entry of the address book. */
const orderStopInput = z
  .strictObject({ address_id: addressId.optional(), ...stopInput.partial().shape })
  .check(({ value, issues }) => {
    if (value.address_id === undefined)
      for (const member of REQUIRED_OF_STOP)
        if (value[member] === undefined)
          issues.push({ code: 'invalid_type', expected: 'string', path: [member], input: undefined });
  })
  .meta({ id: 'OrderStopInput' });
export type OrderStop = z.infer<typeof orderStopInput>;
/** The same, as the documents show it: JSON Schema can express the alternative. */
const documentedStop = z.union([
  stopInput,
  z.strictObject({ address_id: addressId }).meta({ id: 'AddressBookStopInput' }),
]);

export const packageInput = z
  .strictObject({
    external_tracking_number: withFormat(
      text(64).refine((number) => !isDots(normalizeNumber(number) ?? number)),
      'a number other than `.` and `..`',
    )
      .optional()
      .describe(
        'Number of the package in another system. It identifies the package, unless another package used the number before.',
      ),
    description: text(500).optional(),
    ...sizesInput.shape,
  })
  .meta({ id: 'PackageInput' });

const clock = withFormat(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/), '`HH:MM`').describe(
  '`HH:MM` in local time of the stop.',
);
export const timeWindowInput = z
  .strictObject({ stop: z.enum(['pickup', 'delivery']).default('delivery'), from: clock, to: clock })
  .meta({ id: 'TimeWindowInput' });
export const timeWindowsInput = z.array(timeWindowInput).max(10);

export const instructionInput = z
  .string()
  .trim()
  .max(1_000)
  .describe('Instruction for the delivery. An empty text removes the instruction.');
export const noteInput = z
  .string()
  .trim()
  .max(2_000)
  .describe('Internal note, never shown to the recipient. An empty text removes the note.');

export const allowPastDate = z
  .boolean()
  .default(false)
  .describe('Accept a `schedule_date` in the past, for orders that are recorded afterwards.');

/** Throws INVALID_INPUT for a date before `today`, unless it is allowed. */
export function checkDate(date: string | undefined, today: string, isAllowed: boolean): void {
  if (date !== undefined && date < today && !isAllowed)
    throw new ApiError('INVALID_INPUT', {
      errors: [{ field: 'schedule_date', path: '/schedule_date', code: 'DATE_PAST', params: { today } }],
    });
}

export const orderInput = z
  .strictObject({
    type: z
      .enum(ORDER_TYPES)
      .describe(
        '`D`: warehouse to customer. `P`: customer to warehouse. `P2P`: address to address, without a warehouse.',
      ),
    order_ref: orderRef.optional(),
    customer_id: orderId
      .optional()
      .describe('Customer account that owns the order. Customers can order only for themselves.'),
    schedule_date: dateSchema.optional(),
    allow_past_date: allowPastDate,
    warehouse_id: orderId
      .optional()
      .describe(
        'Warehouse where the order starts (`D`) or ends (`P`). Omitted: the default warehouse of the business.',
      ),
    self_delivery: z
      .boolean()
      .default(true)
      .describe('True: own drivers and contractors deliver. False: a carrier delivers.'),
    pickup: orderStopInput.optional(),
    delivery: orderStopInput.optional(),
    packages: z.array(packageInput).min(1).max(100).default([{}]),
    time_windows: timeWindowsInput.default([]),
    delivery_instruction: text(1_000).optional(),
    note: text(2_000).optional(),
    rate_id: rateIdSchema
      .optional()
      .describe(
        'Quote from `ordersRate` that determines the price. It must be for the same stops, packages, date and time windows, and can be used once. Omitted: an order of a customer gets the lowest price of the rate card in force, and other orders have no price until the office sets it.',
      ),
    pay: z
      .enum(['now', 'later'])
      .optional()
      .describe(
        '`now`: the wallet of the customer pays the order. Default: `now` if the terms of the customer are `wallet_on_create`, otherwise `later`. With these terms, an order with `later` is held until the customer has paid.',
      ),
    expected_price: amountSchema
      .optional()
      .describe('Total price that the caller has seen. If the price differs, no order is created.'),
    ...returnInput,
  })
  .meta({ id: 'OrderInput' });
/** `S`: the stops, before or after entries of the address book are copied. */
export type OrderInput<S = OrderStop> = Omit<z.infer<typeof orderInput>, 'pickup' | 'delivery'> & {
  readonly pickup?: S | undefined;
  readonly delivery?: S | undefined;
};
/** The schema of a new order in the API documents. */
export const documentedOrder = orderInput
  .extend({ pickup: documentedStop.optional(), delivery: documentedStop.optional() })
  .meta({ id: 'OrderInput' });

/** An order whose stops are addresses, and the entries of the address book that they were copied from. */
export type OrderWithStops = OrderInput<Stop> & Pick<NewOrder, 'pickup_address_id' | 'delivery_address_id'>;

/** Validates one order of a batch like a single order. Throws INVALID_INPUT. */
export const checkedOrder = (raw: unknown): OrderInput =>
  checkInput({ input: orderInput } as unknown as Operation, raw) as unknown as OrderInput;

export const STOP_NAMES = ['pickup', 'delivery'] as const;
const REQUIRED_STOPS: Readonly<Record<OrderType, readonly ('pickup' | 'delivery')[]>> = {
  D: ['delivery'],
  P: ['pickup'],
  P2P: ['pickup', 'delivery'],
};

/** Throws INVALID_INPUT for combinations of fields that are invalid. */
export function checkOrder({ type, time_windows, ...order }: OrderInput): void {
  const missing = REQUIRED_STOPS[type]
    .filter((stop) => order[stop] === undefined)
    .map((stop): FieldError => ({ field: stop, path: `/${stop}`, code: 'REQUIRED' }));
  const errors = [
    ...missing,
    ...STOP_NAMES.flatMap((stop) => mixedErrors(order[stop], `/${stop}`)),
    ...windowErrors(time_windows),
  ];
  if (errors.length > 0) throw new ApiError('INVALID_INPUT', { errors });
}

/** A stop is an address or an entry of the address book, but not both. */
export const mixedErrors = (
  { address_id, ...address }: { readonly address_id?: number | undefined } = {},
  path: string,
): FieldError[] =>
  address_id === undefined
    ? []
    : Object.keys(address).map((member) =>
        formatError(member, 'absent if `address_id` is present', `${path}/${member}`),
      );

export const windowErrors = (windows: OrderInput['time_windows']): FieldError[] =>
  windows.flatMap(({ from, to }, index) =>
    from < to ? [] : [formatError('to', 'later than `from`, on the same day', `/time_windows/${index}/to`)],
  );

export const toStop = (stop: z.infer<typeof stopInput>): Stop => stop;

/** Converts the input to the data of the first event, without the return. Separate events have warehouse and price. */
export function toNewOrder(
  { packages, allow_past_date: _allowed, warehouse_id: _warehouse, ...input }: OrderWithStops,
  numbers: readonly string[],
): NewOrder {
  const { rate_id: _rate, pay: _pay, expected_price: _price, ...request } = input;
  const { return_reason: _reason, return_note: _note, return_photo: _photo, ...order } = request;
  const described = packages.flatMap(({ description }, index) =>
    description === undefined ? [] : [[numbers[index]!, description] as const],
  );
  return {
    ...order,
    packages: packages.map(({ description: _description, ...parcel }, index) => ({
      tracking_number: numbers[index]!,
      ...toStoredPackage(parcel),
    })),
    ...(described.length > 0 && { descriptions: Object.fromEntries(described) }),
  };
}

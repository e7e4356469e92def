/** The history of an order: the public view by tracking number, and the audit trail for staff. */
import { z } from 'zod';
import { actorSchema } from '../../core/actor.js';
import type { OrderHistoryEntry, OrderHistory } from '../../../projections/orders/history.js';
import type { Order, OrderQueries } from '../../../projections/orders/queries.js';
import { ANONYMOUS, EVERYBODY, STAFF_ROLES } from '../../core/callers.js';
import { upperCase } from '../../../events/otep/check/subject.js';
import { plannedSchema } from '../../../events/otep/schema.js';
import { ApiError, fieldError } from '../../core/errors.js';
import { orderId, trackingNumber } from './input.js';
import { orderSchema, toOrder } from './output.js';
import { visibleOrder } from './viewer.js';
import { carrier, carrierFieldsOf, carrierFields } from '../trackings/carrier-fields.js';
import type { TimelineReader } from '../trackings/timelines.js';
import { operation, type Operation } from '../../core/operation.js';
import { chooseLanguage, type Language } from '../../core/messages/index.js';
import { statusText } from '../../../serializers/support/messages.js';
import { positionSchema } from '../../core/geo.js';

export interface OrderTrackingOptions {
  readonly queries: OrderQueries;
  readonly history: OrderHistory;
  readonly reader: TimelineReader;
}

const text = z.string();
const lookupInput = { order_id: orderId.optional(), tracking_number: trackingNumber.optional() };

const publicTracking = z
  .object({
    tracking_number: text,
    ...carrierFields,
    status: text.nullable().describe('OTEP status code. Null before the first event.'),
    phase: text.nullable(),
    delivered: z.boolean(),
    planned_delivery: plannedSchema
      .optional()
      .describe('Planned delivery of the order. Absent after the journey has ended.'),
    events: z
      .array(
        z
          .object({
            timestamp: text,
            status: text,
            description: text,
            location: text.optional().describe('Place of the event: city, region and country, without the street.'),
            carrier: text.optional().describe('Carrier of the event, if the timeline has `carriers`.'),
          })
          .meta({ id: 'PublicTrackingEvent' }),
      )
      .describe('Events, oldest first.'),
  })
  .meta({ id: 'PublicTracking' });

const operationEventSchema = z
  .object({
    event_id: text,
    type: text,
    timestamp: text,
    occurred_at: text.optional(),
    status: text.optional().describe('Status of the order after the event.'),
    tracking_number: text.optional(),
    status_code: text.optional(),
    actor: actorSchema,
    correlation_id: text,
    position: positionSchema.optional(),
    photos: z.array(text).optional(),
    details: z.record(text, z.unknown()),
  })
  .meta({ id: 'OperationEvent' });

export function orderTracking({ queries, history, reader }: OrderTrackingOptions): Operation[] {
  /** The public view of a tracking number: no persons and no exact addresses. */
  async function track(number: string, language: Language, carrier?: string): Promise<z.infer<typeof publicTracking>> {
    const found = await reader.find(number, { carrier }, ANONYMOUS);
    const { timeline, planned, carrierMatch } = (await reader.journey(found, ANONYMOUS)).journey;
    return {
      tracking_number: timeline.subject.tracking_number ?? number,
      ...carrierFieldsOf(carrierMatch),
      status: timeline.current_status ?? null,
      phase: timeline.current_phase ?? null,
      delivered: timeline.delivered,
      ...(planned && { planned_delivery: { ...planned, windows: [...planned.windows] } }),
      events: timeline.events.map(({ occurred_at, status_code, location, source }) => {
        const place = [location?.city, location?.region, location?.country].filter(Boolean).join(', ');
        return {
          timestamp: occurred_at,
          status: status_code,
          description: statusText(status_code, language),
          ...(place !== '' && { location: place }),
          ...(carrierMatch.carriers && { carrier: source?.provider }),
        };
      }),
    };
  }

  const events = async (order: Order) => (await history(order.id)).map(toEvent);

  return [
    operation({
      name: 'trackingPublic',
      area: 'Tracking',
      summary: 'Track a package by its tracking number',
      description:
        'Returns the public view for recipients: status, planned delivery and events. For the timeline as an OTEP document or in another format, use `otepTracking`.',
      rest: { method: 'get', path: '/v1/tracking/:tracking_number', headers: linkOf },
      callers: EVERYBODY,
      reads: ['timeline', 'providers'],
      input: z.object({ tracking_number: trackingNumber, carrier }),
      output: z.object({ result: z.boolean(), ...publicTracking.shape }),
      answers: { 404: 'The tracking number is unknown.' },
      run: async ({ tracking_number, carrier }, { header }) => ({
        result: true,
        ...(await track(tracking_number, chooseLanguage(header('accept-language')), carrier)),
      }),
    }),
    operation({
      name: 'trackingOperationevents',
      area: 'Tracking',
      summary: 'List the audit trail of an order',
      description:
        'Returns all events of the order with actor, interface, positions and photos. Identify the order by `order_id` or `tracking_number`.',
      rest: { method: 'post', path: '/v1/tracking/operationevents' },
      callers: STAFF_ROLES,
      scopes: ['orders:read'],
      reads: ['orders'],
      input: z.object(lookupInput),
      output: z.object({
        result: z.boolean(),
        order_id: z.int(),
        events: z.array(operationEventSchema).describe('Events, oldest first.'),
      }),
      answers: { 404: 'There is no such order.' },
      async run(input, { caller }) {
        const order = await visibleOrder(queries, caller, requireIdentifier(input));
        expectPackage(order, input.tracking_number);
        return { result: true, order_id: order.id, events: await events(order) };
      },
    }),
    operation({
      name: 'orderSnapshot',
      area: 'Orders',
      summary: 'Get an order with its audit trail and tracking',
      description:
        'Returns the results of `order`, `trackingOperationevents` and `trackingPublic` in one response. Identify the order by `order_id`. To identify it by `tracking_number`, set `order_id` to 0.',
      rest: { method: 'get', path: '/v1/orders/:order_id/snapshot' },
      callers: STAFF_ROLES,
      scopes: ['orders:read'],
      reads: ['orders', 'timeline'],
      input: z.object({
        order_id: z.int().min(0).max(2_147_483_647).default(0),
        tracking_number: trackingNumber.optional(),
      }),
      output: z.object({
        result: z.boolean(),
        order: orderSchema,
        events: z.array(operationEventSchema),
        tracking: z.array(publicTracking),
      }),
      answers: { 404: 'There is no such order.' },
      async run({ order_id, tracking_number }, { caller, header }) {
        const language = chooseLanguage(header('accept-language'));
        const order = await visibleOrder(
          queries,
          caller,
          requireIdentifier({ order_id: order_id || undefined, tracking_number }),
        );
        expectPackage(order, tracking_number);
        const [orderEvents, tracking] = await Promise.all([
          events(order),
          Promise.all(
            order.packages.map(({ tracking_number }) => track(tracking_number, language).catch(ignoreNotFound)),
          ),
        ]);
        return {
          result: true,
          order: toOrder(order, caller),
          events: orderEvents,
          tracking: tracking.filter((one) => one !== undefined),
        };
      },
    }),
  ];
}

/** Links as for timelines: this response, and the timelines of other carriers. */
function linkOf({ tracking_number, carrier, alternatives = [], carriers }: z.infer<typeof publicTracking>) {
  const to = (name: string | undefined, rel: string) =>
    `</api/v1/tracking/${encodeURIComponent(tracking_number)}${name === undefined ? '' : `?${new URLSearchParams({ carrier: name }).toString()}`}>; rel="${rel}"`;
  const others = [...(carriers ? [carrier] : []), ...alternatives];
  return {
    Link: [to(carriers ? undefined : carrier, 'canonical'), ...others.map((name) => to(name, 'alternate'))].join(', '),
  };
}

/** Throws if both are given and belong to different orders, so that no caller reads an unintended order. */
function expectPackage({ packages }: Pick<Order, 'packages'>, number: string | undefined): void {
  const requestedNumber = number && upperCase(number);
  const numbers = packages.flatMap((one) => [one.tracking_number, upperCase(one.external_tracking_number ?? '')]);
  if (requestedNumber !== undefined && !numbers.includes(requestedNumber))
    throw fieldError('NOT_FOUND', 'tracking_number');
}

/** Returns the given identifiers; at least one is required. */
function requireIdentifier(input: {
  readonly order_id?: number | undefined;
  readonly tracking_number?: string | undefined;
}) {
  if (input.order_id === undefined && input.tracking_number === undefined)
    throw new ApiError('INVALID_INPUT', { errors: [{ field: 'order_id', path: '/order_id', code: 'REQUIRED' }] });
  return { order_id: input.order_id, tracking_number: input.tracking_number && upperCase(input.tracking_number) };
}

function toEvent({ recorded_at, data, actor, ...event }: OrderHistoryEntry): z.infer<typeof operationEventSchema> {
  const {
    occurred_at,
    tracking_number,
    status_code,
    gps,
    photos,
    status: _status,
    instant: _instant,
    ...details
  } = data as Record<string, never>;
  return {
    ...event,
    timestamp: recorded_at,
    actor: { ...actor },
    ...(occurred_at !== undefined && { occurred_at }),
    ...(tracking_number !== undefined && { tracking_number }),
    ...(status_code !== undefined && { status_code }),
    ...(gps !== undefined && { position: gps }),
    ...(photos !== undefined && { photos }),
    details,
  };
}

/** The timeline is created shortly after its order; until then the response omits it. */
function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof ApiError && error.code === 'TRACKING_NOT_FOUND')) throw error;
  return undefined;
}

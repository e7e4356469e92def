/** Labels of an EasyPost account whose messages are signed, and the messages and polls of their trackers. */
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Answer } from '../clients/http.js';
import type { ScanOrder } from '../easypost/trackers.js';
import { signed } from '../easypost/trackers.js';
import { shipmentOf, type LabelWorld } from './world.js';

export const WEBHOOK_SECRET = 'kéy of the messages 7';

export interface TrackedAccount {
  readonly id: number;
  readonly method: number;
  /** Below /api/v1. */
  readonly path: string;
  readonly url: string;
}

export interface BoughtLabel {
  readonly order: number;
  readonly number: string;
}

/** Adds an account whose messages are signed. `key`: one account at the double. */
export async function addTracked({ as }: LabelWorld, key: string): Promise<TrackedAccount> {
  const { status, json, text } = await as('client_admin', '/carrier-accounts', {
    adapter: 'easypost',
    name: `Tracked ${key}`,
    settings: { carriers: ['usps'] },
    credentials: { api_key: key, webhook_secret: WEBHOOK_SECRET },
  });
  expect(status, text).to.equal(201);
  const { id, webhook_url: url } = json.carrier_account as { readonly id: number; readonly webhook_url: string };
  const found = await as('client_admin', `/shipping-methods?carrier_account_ids=${id}`);
  const method = found.json.shipping_methods[0].id as number;
  return { id, method, url, path: new URL(url).pathname.replace('/api/v1', '') };
}

export async function buyLabel({ as }: LabelWorld, { method }: Pick<TrackedAccount, 'method'>): Promise<BoughtLabel> {
  const made = await as('employee', '/label-orders', { ...shipmentOf(), method_id: method });
  expect(made.json.label_order?.status, made.text).to.equal('LABEL_PURCHASED');
  return { order: made.json.order_id as number, number: made.json.label_order.tracking_numbers[0] as string };
}

export const stateOf = async ({ as }: LabelWorld, order: number): Promise<string> =>
  (await as('employee', `/label-orders/${order}`)).json.label_order.status as string;

/** Sends an event of EasyPost with its signature. */
export function sendMessage(
  { t }: LabelWorld,
  { path }: Pick<TrackedAccount, 'path'>,
  event: Readonly<Record<string, unknown>>,
  secret = WEBHOOK_SECRET,
): Promise<Answer> {
  const { body, signature } = signed(event, secret);
  return t.api(path, { body, headers: { 'x-hmac-signature': signature, 'content-type': 'application/json' } });
}

/** A message about a tracker that the double does not have. */
export const messageAbout = (number: string, details: readonly object[], more: object = {}) => ({
  id: `evt_${createHash('sha1')
    .update(JSON.stringify([number, details, more]))
    .digest('hex')}`,
  object: 'Event',
  description: 'tracker.updated',
  result: {
    id: 'trk_1',
    object: 'Tracker',
    tracking_code: number,
    shipment_id: null,
    tracking_details: details,
    ...more,
  },
});

/** A time in the last days, so that the scans belong to the life of a number that begins now. `hours`: from the first scan. */
const START = Date.now() - 80 * 3_600_000;
export const hourOf = (hours: number): string =>
  new Date(Math.floor((START + hours * 3_600_000) / 1_000) * 1_000).toISOString();

/** Scans of a journey, in the order of their times. */
export const JOURNEY: readonly Omit<ScanOrder, 'tracking_code'>[] = [
  { status: 'pre_transit', status_detail: 'status_update', at: hourOf(0), message: 'Label printed' },
  { status: 'in_transit', status_detail: 'received_at_origin_facility', at: hourOf(11.5), city: 'DALLAS' },
  { status: 'in_transit', status_detail: 'departed_facility', at: hourOf(18.2), city: 'DALLAS' },
  { status: 'in_transit', status_detail: 'arrived_at_facility', at: hourOf(37.7), city: 'WACO' },
  { status: 'in_transit', status_detail: 'delayed', at: hourOf(43), message: 'Ice on the road' },
  { status: 'out_for_delivery', status_detail: 'out_for_delivery', at: hourOf(71.3), city: 'AUSTIN' },
  { status: 'delivered', status_detail: 'arrived_at_destination', at: hourOf(75), city: 'AUSTIN' },
];

interface PollRow {
  readonly kind: 'tracking' | 'void';
  readonly order_id: number;
  readonly polls: number;
  readonly hours: number;
}

/** The polls of an order. `hours`: until the next one. */
export async function pollsOf({ t }: LabelWorld, order: number): Promise<readonly PollRow[]> {
  const { rows } = await t.service.engines.pool.query<PollRow>(
    'select kind, order_id, polls, (extract(epoch from next_at - now()) / 3600)::float8 as hours from access.label_polls where order_id = $1 order by kind',
    [order],
  );
  return rows;
}

/** Makes the polls of an order due. */
export const makeDue = ({ t }: LabelWorld, order: number) =>
  t.service.engines.pool.query('update access.label_polls set next_at = now() where order_id = $1', [order]);

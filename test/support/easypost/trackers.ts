/** Trackers, scan forms and webhooks of the double. */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  newDetail,
  newId,
  newScanForm,
  newTracker,
  type Members,
  type ShipmentItem,
  type TrackerItem,
} from './objects.js';
import { failed, NOT_FOUND, ok, shown, type Reply } from './replies.js';
import type { Item, Store } from './store.js';

const RETRIES_MS = [50, 200, 1_000];
const TIMEOUT_MS = 5_000;

/** A scan that a test orders. */
export interface ScanOrder {
  readonly tracking_code: string;
  readonly status: string;
  readonly status_detail: string;
  /** RFC 3339. */
  readonly at: string;
  readonly message?: string;
  readonly city?: string;
  /** Default: true. */
  readonly sends?: boolean;
}

export type Trackers = ReturnType<typeof createTrackers>;

export function createTrackers(store: Store, origin: () => string) {
  const stopping = new AbortController();
  const list = (account: string) => store.list<TrackerItem>('tracker', account);

  function create(account: string, body: Members): Reply {
    const given = body['tracker'] as Members | undefined;
    const code = given?.['tracking_code'];
    if (typeof code !== 'string') return failed(422, 'TRACKER.INVALID_PARAMS', 'tracking_code is required.');
    const known = list(account).find((tracker) => tracker.tracking_code === code);
    if (known) return ok(shown(known));
    const tracker = newTracker(code, String(given?.['carrier'] ?? 'USPS'), null);
    const detail = newDetail(
      'pre_transit',
      'status_update',
      '2026-01-05T10:00:00Z',
      'Shipping Label Created',
      'HOUSTON',
    );
    const created = { ...tracker, status: 'pre_transit', status_detail: 'status_update', tracking_details: [detail] };
    store.put(account, ['tracker', created]);
    return ok(shown(created));
  }

  function batch(account: string, body: Members): Reply {
    const codes = new Set(body['tracking_codes'] as readonly string[]);
    const trackers = list(account).filter(({ tracking_code: code }) => codes.has(code));
    return ok({ trackers: trackers.map(shown), has_more: false });
  }

  function createForm(account: string, body: Members): Reply {
    const given = (body['scan_form'] as Members | undefined)?.['shipments'];
    const ids = Array.isArray(given) ? (given as readonly { id: string }[]).map(({ id }) => id) : [];
    if (ids.length === 0) return failed(422, 'SCAN_FORM.SHIPMENTS.REQUIRED', 'Shipments are required.');
    const shipments = ids.map((id) => store.get<ShipmentItem>('shipment', account, id));
    if (shipments.some((one) => !one?.postage_label || one.scan_form || one.refund_status))
      return failed(422, 'SCAN_FORM.SHIPMENTS.INVALID', 'A shipment cannot be added to the scan form.');
    const known = shipments as ShipmentItem[];
    const senders = known.map(({ selected_rate: rate, from_address: from }) =>
      JSON.stringify([rate!.carrier_account_id, from['street1'], from['zip']]),
    );
    if (new Set(senders).size > 1)
      return failed(422, 'SCAN_FORM.BATCH.MULTIPLE_CARRIERS', 'All shipments need one carrier and one sender address.');
    const form = newScanForm(origin(), known);
    store.put(
      account,
      ['scan_form', form],
      ...known.map((shipment) => ['shipment', { ...shipment, scan_form: form }] as const),
    );
    return ok(form);
  }

  function createWebhook(account: string, body: Members): Reply {
    const given = body['webhook'] as Members | undefined;
    if (typeof given?.['url'] !== 'string') return failed(422, 'WEBHOOK.INVALID', 'url is required.');
    const item = {
      id: newId('hook'),
      object: 'Webhook',
      mode: 'test',
      url: given['url'],
      created_at: new Date().toISOString(),
      disabled_at: null,
      custom_headers: [],
      _secret: given['webhook_secret'] ?? null,
    };
    store.put(account, ['webhook', item]);
    return ok(shown(item), 201);
  }

  /** Adds a scan to a tracker, and sends an event for it. */
  function scan({
    tracking_code: code,
    status,
    status_detail: detail,
    at,
    message,
    city,
    sends = true,
  }: ScanOrder): Reply {
    const found = store.all<TrackerItem>('tracker').find(({ item }) => item.tracking_code === code);
    if (!found) return NOT_FOUND;
    const { account, item } = found;
    const details = [...item.tracking_details, newDetail(status, detail, at, message ?? status, city ?? null)];
    const tracker = { ...item, status, status_detail: detail, tracking_details: details };
    const event = {
      id: newId('evt'),
      object: 'Event',
      mode: 'test',
      description: 'tracker.updated',
      previous_attributes: { status: item['status'] },
      pending_urls: [],
      completed_urls: [],
      created_at: at,
      updated_at: at,
      user_id: 'user_1',
      status: 'pending',
      result: shown(tracker),
    };
    const shipment = store.list<ShipmentItem>('shipment', account).find((one) => one.id === item['shipment_id']);
    store.put(
      account,
      ['tracker', tracker],
      ['event', event],
      ...(shipment ? ([['shipment', { ...shipment, status, tracker }]] as const) : []),
    );
    if (sends) for (const hook of store.list('webhook', account)) void deliver(hook, event);
    return ok(event);
  }

  async function deliver(hook: Item, event: Members): Promise<void> {
    const { body, signature } = signed(event, String(hook['_secret'] ?? ''));
    for (const delayMs of [...RETRIES_MS, undefined]) {
      if (stopping.signal.aborted) return;
      const response = await fetch(String(hook['url']), {
        method: 'POST',
        body,
        redirect: 'manual',
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]),
        headers: { 'content-type': 'application/json', 'x-hmac-signature': signature },
      }).catch(() => undefined);
      await response?.body?.cancel();
      if (response?.ok) return;
      if (delayMs !== undefined) await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  return { list, create, batch, createForm, createWebhook, scan, stop: () => stopping.abort() };
}

/** EasyPost signs whole weights with a decimal place, and sends them so. */
export function signed(event: Members, secret: string): { readonly body: string; readonly signature: string } {
  const body = JSON.stringify(event).replace(/("weight":)(\d+)(?=[,}])/g, '$1$2.0');
  const digest = createHmac('sha256', secret.normalize('NFKD')).update(body).digest('hex');
  return { body, signature: `hmac-sha256-hex=${digest}` };
}

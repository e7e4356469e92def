/** Orders on routes of two drivers, with a separate clock: for scans that arrive after the order changed. */
import { expect } from 'chai';
import { call, type Answer } from '../clients/http.js';
import { storedEvents } from '../checks/stored-events.js';
import { STOP } from './orders.js';
import { MINUTE, openDispatchBoard, TODAY } from './dispatch-board.js';

const PASSWORD = 'correct horse battery staple';
const START = Date.parse(`${TODAY}T09:00:00Z`);

export type Sender = 'first' | 'second' | 'employee' | 'client_admin';

export interface LateOrder {
  readonly id: number;
  readonly number: string;
  readonly route: number;
}

export type LateScans = Awaited<ReturnType<typeof openLateScans>>;

export async function openLateScans() {
  const d = await openDispatchBoard();
  let minutes = 0;
  const good = async (answer: Promise<Answer>) => {
    const { status, json, text } = await answer;
    expect(status, text).to.be.below(300);
    return json;
  };
  const keys: Record<string, string> = {};
  const drivers: Record<string, number> = {};
  for (const name of ['first', 'second']) {
    const login = { email: `${name}@example.com`, password: PASSWORD };
    drivers[name] = (await good(d.as('client_admin', '/users', { ...login, name, role: 'driver' }))).user.id;
    keys[name] = (await good(d.service.api('/user/login', { body: login }))).access_token;
  }
  const as = async (sender: Sender, path: string, body?: unknown, method?: string): Promise<Answer> =>
    keys[sender] === undefined
      ? d.as(sender as 'employee', path, body, method === undefined ? {} : { method })
      : call(`${d.service.url}/api/v1${path}`, { key: keys[sender], body, ...(method !== undefined && { method }) });
  const at = (minute: number) => new Date(START + minute * MINUTE).toISOString();
  return {
    ...d,
    as,
    drivers,
    at,
    /** Minutes since the start, by the clock of the service. */
    minute: () => minutes,
    wait(count: number) {
      minutes += count;
      d.advance(count * MINUTE);
    },
    async warehouse(code: string): Promise<number> {
      const body = { code, name: 'Dock', timezone: 'UTC', address: STOP };
      return (await good(d.as('client_admin', '/wms/warehouses', body))).warehouse.id;
    },
    /** A new order on a new route of the first driver. */
    async onRoute(members: object = {}): Promise<LateOrder> {
      const { order } = await good(
        d.as('client_admin', '/orders', {
          type: 'D',
          schedule_date: TODAY,
          delivery: { name: 'Ada', street: 'Kai 1', city: 'Berlin', country: 'DE' },
          packages: [{ weight_kg: 1 }],
          ...members,
        }),
      );
      const route = await d.route({ driver_id: drivers['first'] }, [order.id]);
      return { id: order.id, number: order.packages[0].tracking_number, route };
    },
    scan: async (sender: Sender, number: string, status_code: string, minute: number, more: object = {}) =>
      as(sender, '/scans', { tracking_number: number, status_code, occurred_at: at(minute), ...more }),
    orderOf: async (id: number) => (await d.as('employee', `/orders/${id}`)).json.order,
    codesOf: async (number: string): Promise<string[]> =>
      (await d.as('client_admin', `/client/otep/trackings/${number}`)).json.events.map(
        (event: { status_code: string }) => event.status_code,
      ),
    conflictsOf: async (id: number, sender: Sender = 'employee') =>
      (await as(sender, `/scan-conflicts?order_id=${id}`)).json.scan_conflicts,
    settle: async (id: string, decision: 'apply' | 'discard', sender: Sender = 'employee') =>
      as(sender, `/scan-conflicts/${id}/settle`, { decision, reason: 'asked the driver' }),
    /** Number of scans with this code in the stream of the order. */
    async scansIn(id: number, status_code: string): Promise<number> {
      const events = await storedEvents(d.service.service.engines.log);
      return events.filter(
        ({ stream, type, data }) =>
          stream === `order-${id}` && type === 'PackageScanned' && data['status_code'] === status_code,
      ).length;
    },
  };
}

/**
 * The fields that each kind of grant shows, in every operation that takes `business_id`. No grant shows a field that is
 * not in this table, so a new operation or field must be added to it.
 */
import { expect } from 'chai';
import type { GrantKind } from '../../../src/events/alliances/events.js';
import { clientInput } from '../../../src/api/areas/alliances/grantee.js';
import { describeOperations } from '../../../src/compose/describe-operations.js';
import { overRest } from '../../support/clients/rest-and-graphql.js';
import { event, timelineOf } from '../../support/inputs/pushes.js';
import { openAllianceWorld, type AllianceWorld } from '../../support/worlds/alliances.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const TAKER = 'other_client_admin';
const VIA = ['via_alliance.alliance_id', 'via_alliance.grant_id'];
const PAGE = ['page', 'per_page', 'result', 'total'];
const under = (path: string, members: readonly string[]): string[] => members.map((member) => `${path}.${member}`);

const EVENT = [
  ...['otep_version', 'event_id', 'occurred_at', 'recorded_at', 'status_code', 'status_id', 'phase', 'phase_id'],
  // For a place, its position as in the public view. The driver and the name of the place are personal data.
  ...['location.city', 'location.country', 'location.latitude', 'location.longitude', 'source.type', 'anomaly'],
];
const TIMELINE = [
  ...['otep_version', 'profile', 'current_status', 'current_phase', 'terminal_status', 'delivered'],
  'subject.tracking_number',
  ...VIA,
];
const ORDER = [
  ...['id', 'type', 'status', 'order_status_id', 'schedule_date', 'created_at', 'updated_at', 'on_route'],
  'self_delivery',
  ...['delivery.city', 'delivery.postal_code', 'delivery.country'],
  ...['packages[].tracking_number', 'packages[].weight_kg', 'packages[].last_scan'],
  ...['time_windows[].stop', 'time_windows[].from', 'time_windows[].to'],
  ...VIA,
];
const POI = [
  ...['id', 'name', 'category', 'position.latitude', 'position.longitude', 'phone', 'tags[]', 'radius_m'],
  ...['opening_hours[].day', 'opening_hours[].from', 'opening_hours[].to', 'visibility'],
  ...['address.street', 'address.city', 'address.postal_code', 'address.country'],
  ...VIA,
];
const WAREHOUSE = [
  ...['id', 'name', 'timezone', 'status'],
  ...['opening_hours[].day', 'opening_hours[].from', 'opening_hours[].to'],
  ...['address.city', 'address.postal_code', 'address.country'],
  ...VIA,
];
const COLUMNS = ['code', 'name', 'type', 'required', 'hidden', 'personal'].map((member) => `columns[].${member}`);
const DATASET = ['id', 'code', 'name', 'kind', 'group_count', 'record_count', 'updated_at', ...COLUMNS, ...VIA];
const RECORD = ['id', 'version', 'group_id', 'updated_at', 'values.name'];

/** The returned fields by kind and operation. An operation that is not listed returns 404. */
const SHOWN: Readonly<Record<GrantKind, Readonly<Record<string, readonly string[]>>>> = {
  tracking: { otepClientTracking: [...TIMELINE, ...under('events[]', EVENT)] },
  tracking_full: {
    otepClientTracking: [
      ...TIMELINE,
      ...under('events[]', [...EVENT, 'proof.kind', 'proof.url']),
      ...under('recipient', ['name', 'street', 'city', 'postal_code', 'country']),
    ],
  },
  orders: {
    orders: [...PAGE, ...under('orders[]', [...ORDER, 'pickup.city', 'pickup.postal_code', 'pickup.country'])],
    order: ['result', ...under('order', ORDER)],
  },
  network: {
    pois: [...PAGE, ...under('pois[]', POI)],
    poi: ['result', ...under('poi', POI)],
    warehouses: [...PAGE, ...under('warehouses[]', WAREHOUSE)],
    warehouse: ['result', ...under('warehouse', WAREHOUSE)],
  },
  datasets: {
    datasets: [...PAGE, ...under('datasets[]', DATASET)],
    dataset: ['result', ...under('dataset', DATASET)],
    datasetGroups: ['result', ...under('groups[]', ['id', 'name', 'record_count']), ...VIA],
    datasetSearch: [...PAGE, ...under('records[]', RECORD), ...VIA],
    record: ['result', ...under('record', RECORD), ...VIA],
  },
};

/** The fields of a response with a value, that is, not null and not an empty list. */
function paths(value: unknown, path = ''): string[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((one) => paths(one, `${path}[]`));
  if (typeof value !== 'object') return [path];
  return Object.entries(value).flatMap(([name, member]) => paths(member, path === '' ? name : `${path}.${name}`));
}

describe('members that grants show', () => {
  const operations = describeOperations().filter(({ input }) => input.shape['business_id'] === clientInput.business_id);
  let t: TestService;
  let w: AllianceWorld;
  let inputs: Readonly<Record<string, Record<string, unknown>>>;
  let dataset: number;
  let alliance: number;

  before(async () => {
    t = await startTestService();
    w = await openAllianceWorld(t);
    const made = async (path: string, body: object, method?: 'PUT' | 'POST') => {
      const answer = await w.as('client_admin', path, body, method && { method });
      expect(answer.status, `${path}: ${answer.text}`).to.be.below(300);
      return answer.json;
    };
    const customer_id = t.demo.users.customer.id;
    const order = await w.order({
      customer_id,
      schedule_date: '2099-01-02',
      time_windows: [{ stop: 'delivery', from: '08:00', to: '10:00' }],
    });
    const provider = t.demo.strict_provider;
    await made(`/orders/${order.id}/third-party`, { provider: provider.id });
    const scan = event('delivered', 5, {
      description: 'left with Bo',
      proof: { kind: 'photo', url: 'https://proofs.example/photo' },
      location: { name: 'Door of Bo', city: 'Hamburg', country: 'DE', latitude: 53.5, longitude: 10 },
      source: { type: 'driver', name: 'Driver Dora', id: 'D-7' },
    });
    await t.push(timelineOf(order.number, [event('picked_up', 1), scan]), { key: provider.key });
    const address = { name: 'Gate', street: 'Dock 9', city: 'Kiel', postal_code: '24103', country: 'DE' };
    const opening_hours = [{ day: 1, from: '08:00', to: '17:00' }];
    const position = { latitude: 54.3, longitude: 10.1 };
    const { name: _gate, ...door } = address;
    const place = { name: 'Pier', category: 'hub', position, address: door, opening_hours, visibility: 'alliance' };
    const secrets = { note: 'gate code', external_ref: 'X-1', phone: '+4943112345', tags: ['late'], radius_m: 50 };
    const { id: poi_id } = (await made('/pois', { ...place, ...secrets })).poi;
    const site = {
      code: 'KIEL',
      name: 'Kiel',
      address: { ...address, position },
      timezone: 'Europe/Berlin',
      opening_hours,
    };
    const warehouse_id = (await made('/wms/warehouses', { ...site, dock_minutes: 15, contact: 'Hein' })).warehouse.id;
    await made(`/wms/warehouses/${warehouse_id}/locations/batch`, { locations: [{ code: 'A-1' }] }, 'POST');
    const columns = [
      { code: 'name', type: 'text', required: true },
      { code: 'mail', type: 'email' },
      { code: 'secret', type: 'text', hidden: true },
    ];
    ({ id: dataset } = (await made('/datasets', { code: 'shown', name: 'Shown', columns })).dataset);
    await made(`/datasets/${dataset}/groups`, { id: 'g', name: 'Group' });
    const values = { name: 'Lindenhof', mail: 'petra@example.com' };
    const put = await made(`/datasets/${dataset}/records/batch`, { records: [{ values, group_id: 'g' }] }, 'POST');
    inputs = {
      otepClientTracking: { tracking_number: order.number },
      order: { order_id: order.id },
      poi: { poi_id },
      warehouse: { warehouse_id },
      dataset: { dataset_id: dataset },
      datasetGroups: { dataset_id: dataset },
      datasetSearch: { dataset_id: dataset },
      record: { dataset_id: dataset, record_id: put.results[0].record_id },
    };
  });
  afterEach(() => w.as('client_admin', `/alliances/${alliance}/dissolve`, {}));
  after(() => t.stop());

  const ask = async (name: string, client: number) => {
    const operation = operations.find((one) => one.name === name)!;
    return overRest(t.url, operation, { ...inputs[name], business_id: client }, await w.keyOf(TAKER));
  };

  for (const kind of Object.keys(SHOWN) as GrantKind[])
    it(`alliance 3: of ${kind} are those of the table, in each of ${operations.length} operations, and no others`, async () => {
      alliance = await w.allied();
      await w.grant(alliance, { kind, ...(kind === 'datasets' && { filter: { dataset_ids: [dataset] } }) });
      for (const { name } of operations) {
        const shown = SHOWN[kind][name];
        const response = await ask(name, w.giver);
        expect(response.status, `${name}: ${response.text}`).to.equal(shown ? 200 : 404);
        if (shown) expect([...new Set(paths(response.body))], name).to.have.members(shown as string[]);
        expect((await ask(name, w.third)).status, `${name} of another business`).to.equal(404);
      }
    });
});

/**
 * The access table: ONE row for each operation, in the order of the documents. test/support/access/matrix.ts calls
 * every operation in every role over REST and GraphQL. It checks the responses against the row and compares the two
 * interfaces.
 *
 * To add an operation, add its row:
 * - `roles`: who may call it; all others must be rejected (401 without a token, 403 with one).
 * - `scopes`: scopes that a token must have; absent: none. An API key without them gets INSUFFICIENT_SCOPE.
 * - `module`: module that the business must have enabled; a business without it gets MODULE_OFF.
 * - `own`: the input (REST names) of a call that succeeds; created again for each call. `world.fresh()` returns an
 *   unused text.
 * - `status`: the expected status if even an allowed call does not succeed.
 * - `foreign`: the input with an object of another business (or provider), and the expected response. This is a status,
 *   or `hides`, a text that a successful response must not contain, or `tells`, a text that it must contain. A list if
 *   there are several such objects. `as`: the calling roles; default: all user roles of the row.
 * - `shared`: instead of `foreign`: why the operation exposes no private objects.
 * - `varies`: members of the response, at any depth, that differ between calls. Their types are compared, not their
 *   values.
 */
import { USER_ROLES, type UserRole } from '../../../src/events/accounts/events.js';
import type { CallerKind } from '../../../src/api/core/callers.js';
import { event, timelineOf } from '../inputs/pushes.js';
import { readdirSync } from 'node:fs';
import { ORDER_ROWS } from './orders.js';
import type { World } from './world.js';

export type Input = Readonly<Record<string, unknown>>;
export type MakeInput = (world: World, role: CallerKind) => Input | Promise<Input>;

export type Foreign = { readonly input: MakeInput; readonly as?: readonly CallerKind[] } & (
  { readonly status: number } | { readonly excludes: (world: World) => string } | { readonly contains: string }
);

export interface AccessRow {
  readonly roles: readonly CallerKind[];
  readonly scopes?: readonly string[];
  readonly module?: string;
  readonly own: MakeInput;
  readonly status?: number;
  readonly foreign?: Foreign | readonly Foreign[];
  readonly shared?: string;
  readonly varies?: readonly string[];
  /** Roles that may call but have no such object: 404. */
  readonly notFoundFor?: readonly CallerKind[];
  /** API keys are rejected. */
  readonly loginOnly?: boolean;
  /** A stream, which GraphQL does not offer. */
  readonly restOnly?: boolean;
  /** The call revokes its own token, so each call signs in again. */
  readonly endsSession?: boolean;
}

const USERS: readonly UserRole[] = USER_ROLES;
const ALL_CALLERS: readonly CallerKind[] = ['anonymous', 'provider', ...USERS];
const READERS: readonly CallerKind[] = ['platform_admin', 'client_admin', 'employee', 'auditor'];
const AUDITORS: readonly CallerKind[] = ['platform_admin', 'client_admin', 'auditor'];
const ADMINS: readonly CallerKind[] = ['platform_admin', 'client_admin'];
const NO_INPUT = (): Input => ({});
const PUBLIC = 'public: what a tracking number shows anybody';
const OWN_ONLY = 'names nothing: it is about the caller alone';
const HASHES = 'hashes and signatures, the same for everybody';

const timeline = (number: string) => timelineOf(number, [event('picked_up')]);
const epcis = (id: string) => ({
  '@context': ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'],
  type: 'EPCISDocument',
  schemaVersion: '2.0',
  creationDate: '2026-03-01T12:00:00Z',
  epcisBody: {
    eventList: [
      {
        type: 'ObjectEvent',
        eventID: `urn:example:${id}`,
        eventTime: '2026-03-01T10:00:00+01:00',
        eventTimeZoneOffset: '+01:00',
        action: 'OBSERVE',
        bizStep: 'accepting',
        epcList: ['urn:epc:id:sscc:4012345.0111111111'],
      },
    ],
  },
});

/** Returns a user whom the caller may manage. */
const managed: MakeInput = async (world, role) => ({ user_id: await world.newUser(role) });
const otherUser = (world: World) => ({ user_id: world.demo.users.other_broker.id });
const otherEmail = (world: World) => world.demo.users.other_client_admin.email;

export const ACCESS: Readonly<Record<string, AccessRow>> = {
  otepTracking: { roles: ALL_CALLERS, own: ({ parcel }) => ({ tracking_number: parcel }), shared: PUBLIC },
  otepTrackingEvents: { roles: ALL_CALLERS, own: ({ parcel }) => ({ tracking_number: parcel }), shared: PUBLIC },
  otepTrackingBatch: {
    roles: ALL_CALLERS,
    own: ({ parcel }) => ({ tracking_numbers: [parcel, 'NOSUCHNUMBER'] }),
    shared: PUBLIC,
  },
  otepCarriers: { roles: ALL_CALLERS, own: NO_INPUT, shared: 'tables that ship with the service' },
  otepCarrierCodes: {
    roles: ALL_CALLERS,
    own: () => ({ carrier: 'fedex' }),
    shared: 'tables that ship with the service',
  },
  otepFormats: { roles: ALL_CALLERS, own: NO_INPUT, shared: 'the formats there are' },
  otepClientTracking: {
    roles: ['client_admin', 'employee', 'auditor'],
    notFoundFor: ['broker', 'driver', 'customer'],
    scopes: ['orders:read'],
    own: ({ businessParcel }) => ({ tracking_number: businessParcel }),
    foreign: { input: ({ otherParcel }) => ({ tracking_number: otherParcel }), status: 404 },
  },
  otepIngest: {
    roles: ['provider'],
    own: ({ fresh }) => ({ document: timeline(fresh()) }),
    varies: ['event_id', 'tracking_number'],
    shared: "a number that another provider has opens a parcel of one's own",
  },
  otepIngestStatus: {
    roles: ['provider'],
    own: ({ fresh }) => ({
      document: { tracking_number: fresh(), status_code: 'in_transit', occurred_at: '2026-01-05T08:00:00Z' },
    }),
    varies: ['event_id', 'tracking_number'],
    shared: "a number that another provider has opens a parcel of one's own",
  },
  otepIngestEpcis: {
    roles: ['provider'],
    own: ({ fresh }) => ({ document: epcis(fresh()) }),
    varies: ['event_id'],
    shared: "a number that another provider has opens a parcel of one's own",
  },
  epcisCapture: {
    roles: ['provider'],
    own: ({ fresh }) => ({ document: epcis(fresh()) }),
    varies: ['captureID'],
    shared: "a number that another provider has opens a parcel of one's own",
  },
  epcisCaptureJob: {
    roles: ['provider'],
    own: ({ capture }) => ({ capture_id: capture }),
    foreign: { input: ({ otherCapture }) => ({ capture_id: otherCapture }), as: ['provider'], status: 404 },
  },
  epcisEvents: {
    roles: ['provider', 'client_admin', 'employee', 'auditor'],
    scopes: ['orders:read'],
    own: () => ({ MATCH_anyEPC: 'urn:epc:id:sscc:4012345.0222222222' }),
    varies: ['creationDate'],
    foreign: [
      { input: NO_INPUT, as: ['provider'], excludes: ({ otherProviderParcel }) => otherProviderParcel },
      { input: NO_INPUT, as: ['client_admin', 'employee', 'auditor'], excludes: ({ otherParcel }) => otherParcel },
    ],
  },
  otepValidate: { roles: ALL_CALLERS, own: () => ({ document: timeline('T1') }), shared: 'nothing is stored' },
  otepConvert: {
    roles: ALL_CALLERS,
    own: () => ({ document: timeline('T1'), to: 'otep' }),
    shared: 'nothing is stored',
  },
  providerStatusMapping: { roles: ['provider'], own: NO_INPUT, shared: OWN_ONLY },
  providerUnmappedStatuses: { roles: ['provider'], own: NO_INPUT, shared: OWN_ONLY },
  providerSettings: { roles: ['provider'], own: NO_INPUT, shared: OWN_ONLY },
  providerSettingsUpdate: {
    roles: ['provider'],
    own: () => ({ carrier_codes: 'ups' }),
    varies: ['version'],
    shared: OWN_ONLY,
  },
  trackingProviders: {
    roles: ['platform_admin'],
    scopes: ['platform:write'],
    own: NO_INPUT,
    shared: "the platform's own",
  },
  trackingProvider: {
    roles: ['platform_admin'],
    scopes: ['platform:write'],
    own: () => ({ tracking_provider_id: 'demo-carrier' }),
    shared: "the platform's own",
  },
  trackingProviderUpdate: {
    roles: ['platform_admin'],
    scopes: ['platform:write'],
    own: () => ({ tracking_provider_id: 'demo-carrier', network: 'upu' }),
    varies: ['version'],
    shared: "the platform's own",
  },
  providerStatusMappingSet: {
    roles: ['provider'],
    own: () => ({ mapping: [{ raw: 'PU', status_code: 'picked_up' }] }),
    shared: OWN_ONLY,
  },
  userLogin: {
    roles: ALL_CALLERS,
    own: ({ demo }) => ({ email: demo.users.driver.email, password: demo.users.driver.password }),
    varies: ['access_token', 'expires_at', 'expires_timestamp'],
    shared: OWN_ONLY,
  },
  userLogout: { roles: USERS, scopes: ['sessions:write'], own: NO_INPUT, endsSession: true, shared: OWN_ONLY },
  mePasswordSet: {
    roles: USERS,
    scopes: ['sessions:write'],
    own: (world, role) => ({ current_password: world.passwordOf(role), new_password: world.passwordOf(role) }),
    varies: ['version'],
    loginOnly: true,
    shared: OWN_ONLY,
  },
  userCreate: {
    roles: ADMINS,
    scopes: ['accounts:write'],
    varies: ['*'],
    own: ({ fresh, businessId }, role) => ({
      email: `${fresh()}@example.com`,
      password: 'long enough password',
      name: 'New',
      role: 'client_admin',
      ...(role === 'platform_admin' && { business_id: businessId }),
    }),
    foreign: {
      input: ({ fresh, otherBusinessId }) => ({
        email: `${fresh()}@example.com`,
        password: 'long enough password',
        name: 'New',
        role: 'driver',
        business_id: otherBusinessId,
      }),
      as: ['client_admin'],
      status: 403,
    },
  },
  users: {
    roles: READERS,
    scopes: ['accounts:read'],
    own: NO_INPUT,
    foreign: { input: () => ({ per_page: 200 }), as: ['client_admin', 'employee', 'auditor'], excludes: otherEmail },
  },
  user: {
    roles: READERS,
    scopes: ['accounts:read'],
    own: ({ demo }) => ({ user_id: demo.users.client_admin.id }),
    foreign: { input: otherUser, status: 404 },
  },
  me: { roles: USERS, own: NO_INPUT, shared: OWN_ONLY },
  userUpdate: {
    varies: ['*'],
    roles: ADMINS,
    scopes: ['accounts:write'],
    own: async (world, role) => ({ ...(await managed(world, role)), name: 'Changed' }),
    foreign: { input: (world) => ({ ...otherUser(world), name: 'Changed' }), status: 404 },
  },
  userEnable: {
    roles: ADMINS,
    scopes: ['accounts:write'],
    own: managed,
    foreign: { input: otherUser, status: 404 },
    varies: ['*'],
  },
  userDisable: {
    roles: ADMINS,
    scopes: ['accounts:write'],
    own: managed,
    foreign: { input: otherUser, status: 404 },
    varies: ['*'],
  },
  userPasswordReset: {
    varies: ['*'],
    roles: ADMINS,
    scopes: ['accounts:write'],
    own: async (world, role) => ({ ...(await managed(world, role)), new_password: 'another long password' }),
    foreign: { input: (world) => ({ ...otherUser(world), new_password: 'another long password' }), status: 404 },
  },
  driverRegister: {
    roles: ALL_CALLERS,
    own: ({ fresh }) => ({
      business_code: 'demo',
      email: `${fresh()}@example.com`,
      password: 'long enough password',
      name: 'New',
    }),
    shared: 'the answer is the same whatever there is',
  },
  apiKeyCreate: {
    roles: USERS,
    scopes: ['keys:write'],
    own: () => ({ name: 'key', scopes: ['orders:read'] }),
    loginOnly: true,
    varies: ['api_key', 'secret'],
    shared: OWN_ONLY,
  },
  apiKeys: { roles: USERS, own: NO_INPUT, shared: OWN_ONLY },
  apiKeyRevoke: {
    roles: USERS,
    scopes: ['keys:write'],
    own: async (world, role) => ({ key_id: await world.newKey(role) }),
    loginOnly: true,
    foreign: { input: ({ otherKey }) => ({ key_id: otherKey }), status: 404 },
  },
  businessCreate: {
    roles: ['platform_admin'],
    scopes: ['platform:write'],
    own: ({ fresh }) => ({ code: fresh().toLowerCase(), name: 'New' }),
    varies: ['business'],
    shared: "the platform's own",
  },
  businesses: { roles: ['platform_admin'], scopes: ['platform:write'], own: NO_INPUT, shared: "the platform's own" },
  business: {
    roles: ['platform_admin'],
    scopes: ['platform:write'],
    own: ({ businessId }) => ({ business_id: businessId }),
    shared: "the platform's own",
  },
  businessModuleSet: {
    roles: ['platform_admin'],
    scopes: ['platform:write'],
    own: ({ businessId }) => ({ business_id: businessId, module: 'contractor_assignment', enabled: true }),
    shared: "the platform's own",
  },
  webhookSettings: { roles: ['client_admin', 'employee'], scopes: ['webhooks:read'], own: NO_INPUT, shared: OWN_ONLY },
  webhookSettingsUpdate: {
    roles: ['client_admin'],
    scopes: ['webhooks:write'],
    own: () => ({ webhooks_enabled: true }),
    shared: OWN_ONLY,
  },
  webhookDeliveries: {
    roles: ['client_admin', 'employee'],
    scopes: ['webhooks:read'],
    own: NO_INPUT,
    foreign: { input: NO_INPUT, excludes: ({ otherDelivery }) => otherDelivery },
  },
  webhookDelivery: {
    roles: ['client_admin', 'employee'],
    scopes: ['webhooks:read'],
    own: async (world) => ({ delivery_id: await world.newDelivery() }),
    varies: ['*'],
    foreign: { input: ({ otherDelivery }) => ({ delivery_id: otherDelivery }), status: 404 },
  },
  webhookReplay: {
    roles: ['client_admin'],
    scopes: ['webhooks:write'],
    own: async (world) => ({ delivery_id: await world.newDelivery() }),
    // The delivery continues in the background.
    varies: ['delivery_id', 'id', 'created_at', 'recorded_at', 'next_attempt_at', 'attempts', 'attempts_made'],
    foreign: { input: ({ otherDelivery }) => ({ delivery_id: otherDelivery }), status: 404 },
  },
  webhookTest: {
    roles: ['client_admin'],
    scopes: ['webhooks:write'],
    own: ({ receiver }) => ({ url: receiver }),
    varies: ['webhook_delivery'],
    shared: OWN_ONLY,
  },
  auditEvents: {
    roles: AUDITORS,
    scopes: ['audit:read'],
    own: () => ({ limit: 5, sort: 'recorded_at' }),
    foreign: { input: () => ({ limit: 500 }), excludes: ({ otherStream }) => `"${otherStream}"` },
  },
  auditExport: {
    roles: AUDITORS,
    scopes: ['audit:read'],
    own: NO_INPUT,
    restOnly: true,
    foreign: { input: NO_INPUT, excludes: ({ otherStream }) => `"${otherStream}"` },
  },
  auditStreamEvents: {
    roles: AUDITORS,
    scopes: ['audit:read'],
    own: (world, role) => ({ stream: world.streamOf(role), limit: 5 }),
    foreign: { input: ({ otherStream }) => ({ stream: otherStream }), status: 404 },
  },
  auditState: {
    roles: AUDITORS,
    scopes: ['audit:read'],
    own: (world, role) => ({ stream: world.streamOf(role) }),
    foreign: { input: ({ otherStream }) => ({ stream: otherStream }), status: 404 },
  },
  auditChain: {
    roles: AUDITORS,
    scopes: ['audit:read'],
    own: (world, role) => ({ correlation_id: world.requestOf(role) }),
    foreign: { input: ({ otherRequest }) => ({ correlation_id: otherRequest }), status: 404 },
  },
  auditHeads: { roles: ALL_CALLERS, own: () => ({ limit: 1 }), varies: ['heads', 'next_cursor'], shared: HASHES },
  auditLatestHead: { roles: ALL_CALLERS, own: NO_INPUT, varies: ['*'], shared: HASHES },
  auditLogCheckpoint: { roles: ALL_CALLERS, own: NO_INPUT, varies: ['*'], shared: HASHES },
  auditLogTile: { roles: ALL_CALLERS, own: () => ({ level: '0', index: '000.p/1' }), shared: HASHES },
  auditConsistencyProof: {
    roles: ALL_CALLERS,
    own: ({ published }) => ({ from: published }),
    varies: ['*'],
    shared: HASHES,
  },
  auditInclusionProof: {
    roles: AUDITORS,
    scopes: ['audit:read'],
    own: (world, role) => ({ stream: world.streamOf(role), revision: 0, size: world.published }),
    foreign: {
      input: ({ otherStream }) => ({ stream: otherStream, revision: 0 }),
      as: ['client_admin', 'auditor'],
      status: 404,
    },
  },
  auditEvidence: {
    roles: AUDITORS,
    scopes: ['audit:read'],
    own: (world, role) => ({ stream: world.streamOf(role), revision: 0, size: world.published }),
    foreign: {
      input: ({ otherStream }) => ({ stream: otherStream, revision: 0 }),
      as: ['client_admin', 'auditor'],
      status: 404,
    },
  },
  privacySubjectErase: {
    roles: ['client_admin'],
    scopes: ['privacy:write'],
    own: async (world, role) => ({ subject_id: `account-${await world.newUser(role)}` }),
    varies: ['subject', 'finished'],
    foreign: { input: ({ otherStream }) => ({ subject_id: otherStream }), status: 404 },
  },
  ...ORDER_ROWS,
  ...(await rowsOfAreas()),
};

/** Loads the rows of areas that have a separate file: areas/<area>.ts exports `ROWS`. */
async function rowsOfAreas(): Promise<Record<string, AccessRow>> {
  const folder = new URL('./areas/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const loaded = (await Promise.all(files.map((name) => import(new URL(name, folder).href)))) as {
    readonly ROWS: Record<string, AccessRow>;
  }[];
  return Object.assign({}, ...loaded.map(({ ROWS }) => ROWS)) as Record<string, AccessRow>;
}

/**
 * A large installation: orders with parcels, erased orders and decided proposals of one business. The commands of the
 * service decide and encode all events, which are appended to the log in bulk. A service that starts on the database
 * projects them into the read models.
 */
import { createHash, randomUUID } from 'node:crypto';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { ORDER_POLICY } from '../../../src/areas/wiring/order-followers.js';
import { approvedEventId } from '../../../src/commands/approvals/decider.js';
import { createCommands, type Commands } from '../../../src/commands/commands.js';
import type { Cause } from '../../../src/commands/core/handle.js';
import type { Engines } from '../../../src/engines/open.js';
import { proposalStream, proposalSubject, type ProposalStatus } from '../../../src/events/approvals/events.js';
import { orderStream, orderSubject, ownerOfPackages, trackingOfPackage } from '../../../src/events/orders/events.js';
import { PROFILE } from '../../../src/events/otep/model.js';
import { erasureStream } from '../../../src/events/privacy/events.js';
import { trackingStream } from '../../../src/events/trackings/events.js';
import { createBulkLog } from './bulk-log.js';
import { causeOf } from './shipments.js';

export interface InstallationSizes {
  readonly orders: number;
  /** Number of orders that were erased. They are spread evenly over the orders. */
  readonly erased: number;
  /** Number of decided proposals. Each changes the note of an order. For every second proposal, that order is erased. */
  readonly proposals: number;
}

export interface InstallationOptions extends InstallationSizes {
  readonly business: number;
  /** The user who created the orders, proposed the changes and decided them. */
  readonly user: number;
  /** Providers that may push scans of the parcels. */
  readonly writers?: readonly string[];
  /** Id of the first order. Default: far above the ids that the seed assigns. */
  readonly firstOrder?: number;
}

export interface InstalledProposal {
  readonly id: string;
  readonly order: number;
  readonly status: Exclude<ProposalStatus, 'pending' | 'approved'>;
}

export interface Installation {
  /** Ids of all orders, ascending. */
  readonly orders: readonly number[];
  readonly erased: ReadonlySet<number>;
  readonly proposals: readonly InstalledProposal[];
}

/** Ids of installed orders begin with this one. */
export const FIRST_INSTALLED_ORDER = 1_000_000;

/** Number of orders whose events are appended together. */
const AT_ONCE = 500;
/** The proposals end in these ways, in alternation. */
const ENDS = ['executed', 'rejected', 'failed', 'expired'] as const;
const HOUR_MS = 3_600_000;
const CITIES = ['Hamburg', 'Berlin', 'Leipzig', 'Bremen', 'Hannover', 'Kassel', 'Dresden'];

/** The number of the parcel of an installed order. */
export const installedNumber = (order: number): string => `LARGE${order}`;
/** The recipient of an installed order, until the order is erased. */
export const installedRecipient = (order: number): string => `Recipient ${order}`;

/** Run it while no service runs on the database: it moves a checkpoint. `erased` is at most `orders`. */
export async function buildInstallation(
  engines: Pick<Engines, 'log' | 'keyRing' | 'pool'>,
  { firstOrder = FIRST_INSTALLED_ORDER, ...options }: InstallationOptions,
): Promise<Installation> {
  const { orders: count } = options;
  const spread = (index: number, among: number): number => firstOrder + Math.floor((index * count) / among);
  const erased = new Set(Array.from({ length: options.erased }, (_, n) => spread(n, options.erased)));
  const orders = Array.from({ length: count }, (_, n) => firstOrder + n);
  const others = orders.filter((id) => !erased.has(id));
  const proposals = Array.from({ length: options.proposals }, (_, n): InstalledProposal => {
    const among = n % 2 === 0 && erased.size > 0 ? [...erased] : others;
    const order = among[Math.floor((n * among.length) / options.proposals)]!;
    return { id: randomUUID(), order, status: ENDS[Math.floor(n / 2) % ENDS.length]! };
  });
  const ofOrder = new Map<number, InstalledProposal[]>();
  for (const one of proposals) ofOrder.set(one.order, [...(ofOrder.get(one.order) ?? []), one]);
  for (let at = 0; at < count; at += AT_ONCE) {
    const some = orders.slice(at, at + AT_ONCE);
    await buildPart(engines, options, {
      orders: some,
      erased: some.filter((id) => erased.has(id)),
      proposals: some.flatMap((id) => ofOrder.get(id) ?? []),
    });
  }
  await skipPolicy(engines);
  return { orders, erased, proposals };
}

async function buildPart(
  { log, keyRing }: Pick<Engines, 'log' | 'keyRing'>,
  { business, user, writers = [] }: InstallationOptions,
  { orders, erased, proposals }: { orders: number[]; erased: number[]; proposals: InstalledProposal[] },
): Promise<void> {
  const bulk = createBulkLog(log);
  const directory = { find: () => Promise.resolve([]) };
  const commands = createCommands({ log: bulk, types: EVENT_TYPES, keyRing, now: Date.now, directory });
  const by = { business, user, cause: causeOf(business, user) };
  await Promise.all(orders.map((id) => openParcel(commands, id, writers, by)));
  await bulk.flush();
  await Promise.all(orders.map((id) => createOrder(commands, id, by)));
  await bulk.flush();
  await Promise.all(proposals.map((proposal) => propose(commands, proposal, by)));
  await bulk.flush();

  const keysOf = (id: number) => [orderSubject(id), trackingOfPackage(business, installedNumber(id))];
  await Promise.all(
    erased.map((id) => {
      const [subject] = keysOf(id) as [string];
      const command = { do: 'erase', commandId: randomUUID(), kind: 'order', business, subject } as const;
      return commands.privacy(erasureStream(subject), { ...command, keys: keysOf(id) }, by.cause);
    }),
  );
  await bulk.flush();
  const further = (id: number) => proposals.filter(({ order }) => order === id).map((one) => proposalSubject(one.id));
  await keyRing.destroy(erased.flatMap((id) => [...keysOf(id), ...further(id)]));
  await Promise.all(
    erased.map((id) => {
      const subject = orderSubject(id);
      return commands.privacy(erasureStream(subject), { do: 'destroyed', subject, keys: further(id) }, by.cause);
    }),
  );
  await bulk.flush();
}

interface By {
  readonly business: number;
  readonly user: number;
  readonly cause: Cause;
}

async function openParcel(
  { trackings }: Commands,
  order: number,
  writers: readonly string[],
  { business, cause }: By,
): Promise<void> {
  const number = installedNumber(order);
  const id = trackingOfPackage(business, number);
  const opening = { owner: ownerOfPackages(business), number, generation: 0, profile: PROFILE };
  await trackings(
    trackingStream(id),
    { kind: 'open', id, subject: { tracking_number: number }, opening, writers },
    cause,
  );
}

/** The command also writes the first event of the parcel's timeline. */
async function createOrder({ orders }: Commands, id: number, { business, user, cause }: By): Promise<void> {
  await orders(
    orderStream(id),
    {
      do: 'create',
      commandId: randomUUID(),
      orderId: id,
      business,
      by: user,
      order: {
        type: 'D',
        order_ref: `L-${id}`,
        self_delivery: true,
        schedule_date: `2046-03-${String(1 + (id % 28)).padStart(2, '0')}`,
        delivery: {
          name: installedRecipient(id),
          phone: `+4940${String(id).padStart(8, '0')}`,
          street: `Gartenweg ${1 + (id % 200)}`,
          city: CITIES[id % CITIES.length]!,
          postal_code: String(10_000 + (id % 80_000)),
          country: 'DE',
        },
        packages: [{ tracking_number: installedNumber(id), weight: 1 + (id % 20) }],
        time_windows: [],
        note: `note ${id}`,
      },
    },
    cause,
  );
}

/** A change of a note that was proposed, decided and, if it was approved, executed. */
async function propose(
  { approvals, orders }: Commands,
  { id, order, status }: InstalledProposal,
  { business, user, cause }: By,
): Promise<void> {
  const input = { order_id: order, note: `proposed for ${order}` };
  const [token, channel] = ['installed', 'mcp'];
  const at = Date.now();
  const stream = proposalStream(id);
  const base = { proposalId: id, commandId: randomUUID() };
  await approvals(
    stream,
    {
      ...base,
      do: 'propose',
      data: {
        proposal_id: id,
        business_id: business,
        tool: 'update_order_note',
        operation: 'orderUpdate',
        risk: 'medium',
        required_scopes: ['orders:write'],
        arguments_hash: createHash('sha256').update(JSON.stringify(input)).digest('hex'),
        source: 'propose_write',
        proposed_by: user,
        token,
        channel,
        targets: [{ stream: orderStream(order), revision: 0 }],
        expires_at: new Date(at + (status === 'expired' ? -HOUR_MS : HOUR_MS)).toISOString(),
        arguments: input,
        reason: `reason for ${order}`,
      },
    },
    cause,
  );
  if (status === 'expired') await approvals(stream, { ...base, do: 'expire', at }, cause);
  else if (status === 'rejected')
    await approvals(stream, { ...base, do: 'reject', at, data: { rejected_by: user, token, channel } }, cause);
  else if (status === 'failed')
    await approvals(stream, { ...base, do: 'refuse', at, data: { code: 'PROPOSAL_OUTDATED' } }, cause);
  else {
    const approved_at = new Date(at).toISOString();
    const data = { approved_by: user, scopes: ['orders:write'], approved_at, token, channel };
    await approvals(stream, { ...base, do: 'approve', at, data }, cause);
    await orders(
      orderStream(order),
      {
        do: 'update',
        updates: [{ do: 'annotate', note: input.note }],
        commandId: randomUUID(),
        orderId: order,
        business,
        by: user,
      },
      { ...cause, causationId: approvedEventId(base.commandId) },
    );
    await approvals(stream, { ...base, do: 'execute', data: { answer: { result: true } } }, cause);
  }
}

/** The commands wrote all events that follow from the orders, so the policy between orders and timelines skips them. */
async function skipPolicy({ pool, log }: Pick<Engines, 'log' | 'pool'>): Promise<void> {
  await pool.query(
    `insert into projections.checkpoints (name, version, position) values ($1, $2, $3)
     on conflict (name) do update set position = excluded.position`,
    [ORDER_POLICY.name, ORDER_POLICY.version, await log.head()],
  );
}

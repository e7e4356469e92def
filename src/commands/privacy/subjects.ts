/** Finds the subject of an erasure and the keys of its data. Uses the streams themselves instead of read models. */
import { decode } from '../../events/core/codec.js';
import { accountStream, accountSubject } from '../../events/accounts/events.js';
import type { JsonObject } from '../../events/core/log.js';
import type { Parts } from '../../events/core/parts.js';
import { orderStream, orderSubject } from '../../events/orders/events.js';
import { normalizeNumber } from '../../events/otep/check/subject.js';
import type { SubjectKind } from '../../events/privacy/events.js';
import { TRACKING_PREFIX, trackingId, trackingStream, type Owner } from '../../events/trackings/events.js';
import { RouteCreated } from '../../events/routes/events.js';
import type { TrackingDirectory } from '../trackings/targets.js';

export interface ErasureSubject {
  readonly subject: string;
  readonly kind: SubjectKind;
  /** The business that owns the data; undefined: no business. */
  readonly business: number | undefined;
  /** The subject's own keys, without the keys of captures and of related data. */
  readonly keys: readonly string[];
  /** The log contains the name of the subject as plaintext, from a version of its first event without encryption. */
  readonly hasPlainName?: boolean;
}

export interface ErasureSubjectsOptions extends Parts<'log' | 'types'> {
  readonly directory: TrackingDirectory;
  /** Prefixes of the streams whose names are subjects, such as `address-`. Their first event names the business. */
  readonly own: readonly string[];
  /** Ids of the orders of the same person (for a customer's account), page by page. */
  readonly ordersOf: (subject: string, business: number) => AsyncIterable<readonly number[]>;
  /** Key subjects of other data of the same person, such as address book entries. Page by page. */
  readonly belongingsOf: (subject: string, business: number) => AsyncIterable<readonly string[]>;
}

export type ErasureSubjects = ReturnType<typeof createErasureSubjects>;

const UUID = /^(?:tracking-)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
interface OrderData {
  readonly id: number;
  readonly business: number;
  readonly numbers: readonly string[];
  readonly others: readonly number[];
}

export function createErasureSubjects({ log, types, directory, own, ordersOf, belongingsOf }: ErasureSubjectsOptions) {
  async function eventsOf(stream: string): Promise<{ readonly type: string; readonly data: JsonObject }[]> {
    const events = (await log.readMany([stream])).get(stream) ?? [];
    return events.map((event) => ({ type: event.type, data: decode(event, types) }));
  }

  /** Returns only existing orders. */
  async function readOrders(ids: readonly number[]): Promise<OrderData[]> {
    const found = await log.readMany(ids.map(orderStream));
    return ids.flatMap((id) => {
      const [created, ...later] = (found.get(orderStream(id)) ?? []).map((event) => decode(event, types));
      if (!created) return [];
      const replacements = later.flatMap(
        (data) => (data['replacement'] as { readonly order_id: number } | undefined)?.order_id ?? [],
      );
      const { business, packages, replaces } = created as unknown as {
        readonly business: number;
        readonly packages: readonly { readonly tracking_number: string }[];
        readonly replaces?: number;
      };
      return [
        {
          id,
          business,
          numbers: packages.map(({ tracking_number }) => tracking_number),
          others: [...(replaces === undefined ? [] : [replaces]), ...replacements],
        },
      ];
    });
  }

  /**
   * The keys of the orders and of their packages' trackings. Includes the orders that they replaced or that replaced
   * them.
   */
  async function keysOfOrders(ids: readonly number[], business: number): Promise<string[]> {
    const keys = new Set<string>();
    const owner: Owner = { kind: 'business', id: String(business) };
    for (let next = ids; next.length > 0;) {
      const found = (await readOrders(next)).filter((order) => order.business === business);
      for (const { id, numbers } of found) {
        keys.add(orderSubject(id));
        for (const number of numbers) {
          // Includes trackings that are not open yet, so that they never store personal data.
          keys.add(trackingId(owner, number, 0));
          for (const tracking of await directory.find(number, { fresh: true }))
            if (isOwned(tracking.owner, owner)) keys.add(tracking.id);
        }
      }
      next = [...new Set(found.flatMap(({ others }) => others))].filter((id) => !keys.has(orderSubject(id)));
    }
    return [...keys];
  }

  async function byOrder(id: number): Promise<ErasureSubject[]> {
    const [found] = await readOrders([id]);
    return found
      ? [
          {
            subject: orderSubject(id),
            kind: 'order',
            business: found.business,
            keys: await keysOfOrders([id], found.business),
          },
        ]
      : [];
  }

  async function byAccount(id: number): Promise<ErasureSubject[]> {
    const [opened] = await eventsOf(accountStream(id));
    if (!opened) return [];
    return [
      {
        subject: accountSubject(id),
        kind: 'account',
        business: opened.data['business_id'] as number | undefined,
        keys: [accountSubject(id)],
      },
    ];
  }

  async function byTracking(id: string): Promise<ErasureSubject[]> {
    const [opened, ...later] = await eventsOf(trackingStream(id));
    if (!opened) return [];
    const { owner, number, subject } = opened.data as unknown as {
      readonly owner: Owner;
      readonly number: string;
      readonly subject: { readonly order_id?: string };
    };
    const business = owner.kind === 'business' ? Number(owner.id) : undefined;
    const orderIds = [subject, ...later.map(({ data }) => data['subject'] as typeof subject | undefined)].flatMap(
      (named) => (/^\d{1,15}$/.test(named?.order_id ?? '') ? [Number(named!.order_id)] : []),
    );
    for (const orderId of business === undefined ? [] : orderIds) {
      const [found] = await readOrders([orderId]);
      if (found?.business === business && found?.numbers.includes(number)) return byOrder(orderId);
    }
    return [{ subject: `${TRACKING_PREFIX}${id}`, kind: 'tracking', business, keys: [id] }];
  }

  /** A subject in an area whose stream names are subjects. */
  async function byStream(stream: string): Promise<ErasureSubject[]> {
    const [first] = await eventsOf(stream);
    if (!first) return [];
    const kind = stream.slice(0, stream.indexOf('-'));
    const business = first.data['business'] as number | undefined;
    const hasPlainName = first.type === RouteCreated.type && first.data['name'] !== undefined;
    return [{ subject: stream, kind, business, keys: [stream], ...(hasPlainName && { hasPlainName }) }];
  }

  return {
    /**
     * Accepts `order-<id>`, `account-<id>`, `tracking-<id>`, or the id or number of a tracking. Returns all possible
     * subjects. A parcel of an order yields the order.
     */
    async find(text: string): Promise<readonly ErasureSubject[]> {
      const [, kind, id] = /^(order|account)-(\d{1,15})$/.exec(text) ?? [];
      if (kind !== undefined) return kind === 'order' ? byOrder(Number(id)) : byAccount(Number(id));
      if (own.some((prefix) => text.startsWith(prefix))) return byStream(text);
      const tracking = UUID.exec(text)?.[1];
      if (tracking !== undefined) return byTracking(tracking);
      const number = normalizeNumber(text);
      const known = number === undefined ? [] : await directory.find(number, { fresh: true });
      const found = (await Promise.all(known.map(({ id }) => byTracking(id)))).flat();
      return [...new Map(found.map((one) => [one.subject, one])).values()];
    },
    /**
     * Key subjects of a subject's related data. They come in pages, because their number is unlimited. A key may occur
     * twice.
     */
    async *related(subject: string, business: number): AsyncIterable<readonly string[]> {
      for await (const ids of ordersOf(subject, business)) yield await keysOfOrders(ids, business);
      yield* belongingsOf(subject, business);
    },
  };
}

const isOwned = (one: Owner, other: Owner): boolean => one.kind === other.kind && one.id === other.id;

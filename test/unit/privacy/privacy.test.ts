/** Erasures: decided once per set of keys, done once; and the subjects that an erasure request covers. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { createErasing } from '../../../src/commands/privacy/erasing.js';
import { createErasureSubjects } from '../../../src/commands/privacy/subjects.js';
import { privacy, type PrivacyCommand } from '../../../src/commands/privacy/decider.js';
import { createHandler } from '../../../src/commands/core/handler.js';
import type { EventLog, JsonObject, StoredEvent } from '../../../src/events/core/log.js';
import { trackingId } from '../../../src/events/trackings/events.js';
import type { KeyRing } from '../../../src/events/core/codec.js';
import { given } from '../../support/checks/given.js';
import { createMemoryLog } from '../../support/fakes/memory-log.js';

const erase = (...keys: string[]): PrivacyCommand => ({
  do: 'erase',
  commandId: randomUUID(),
  subject: 'order-1',
  kind: 'order',
  business: 1,
  keys,
});
const destroyed = (...keys: string[]): PrivacyCommand => ({ do: 'destroyed', subject: 'order-1', keys });

describe('commands to an erasure', () => {
  it('is decided once, and again only for further keys', () => {
    const once = given(privacy).when(erase('order-1', 'a'));
    expect(once.facts).to.deep.equal([
      { type: 'SubjectErased', data: { subject: 'order-1', kind: 'order', business: 1, keys: ['order-1', 'a'] } },
    ]);
    expect(once.then.when(erase('a', 'order-1')).facts).to.deep.equal([]);
    const more = once.then.when(erase('order-1', 'b'));
    expect(more.facts).to.deep.equal([
      { type: 'SubjectErased', data: { subject: 'order-1', kind: 'order', business: 1, keys: ['b'] } },
    ]);
    expect(more.ids).to.not.deep.equal(once.ids);
  });

  it('is done once, also without new keys; later keys are recorded', () => {
    const done = given(privacy, erase('a')).when(destroyed('a', 'capture'));
    expect(done.facts).to.deep.equal([{ type: 'KeysDestroyed', data: { keys: ['a', 'capture'] } }]);
    expect(done.then.when(destroyed('a')).facts).to.deep.equal([]);
    expect(done.then.when(destroyed('a', 'later')).facts).to.deep.equal([
      { type: 'KeysDestroyed', data: { keys: ['later'] } },
    ]);
    expect(given(privacy, erase('a'), destroyed('a'), erase('b')).when(destroyed('a')).types).to.deep.equal([
      'KeysDestroyed',
    ]);
  });
});

describe('a very large erasure', () => {
  const PAGES = 26;
  const pageOf = (page: number): string[] => Array.from({ length: 1_700 }, (_, n) => `order-${page * 1_000 + n}`);
  const all = new Set(['account-7', ...Array.from({ length: PAGES }, (_, page) => pageOf(page)).flat()]);
  const cause = { correlationId: 'c', actor: { kind: 'user', id: '5' }, channel: 'rest', business: '1' } as const;

  /** `failing`: the page whose first read fails. */
  function erasure(failing?: number) {
    const log = createMemoryLog();
    const destroyed = new Set<string>();
    const cleaned: string[] = [];
    let largest = 0;
    const seen = (keys: readonly string[]) => (largest = Math.max(largest, keys.length));
    let fails = failing !== undefined;
    const erasing = createErasing({
      handle: createHandler({ decider: privacy, log, keyRing: {} as KeyRing, types: EVENT_TYPES, now: () => 0 }),
      log,
      async *related() {
        for (let page = 0; page < PAGES; page++) {
          if (page === failing && fails) {
            fails = false;
            throw new Error('The read model orders is behind.');
          }
          yield pageOf(page);
        }
      },
      destroy: async (keys) => void (seen(keys), keys.forEach((key) => destroyed.add(key))),
      capturesOf: async () => [],
      proposalsAbout: async (streams) => (seen(streams), []),
      revived: { newest: async () => [], async *open() {}, async *all() {} },
      forgetters: [async (keys) => void (seen(keys), cleaned.push(...keys))],
    });
    const events = () => log.streams.get('erasure-account-7')!;
    return {
      erasing,
      destroyed,
      cleaned,
      events,
      largest: () => Math.max(largest, ...events().map(({ data }) => (data['keys'] as string[]).length)),
    };
  }
  const subject = { subject: 'account-7', kind: 'account', business: 1, keys: ['account-7'] } as const;

  it('is done completely in one call, and in parts', async () => {
    const { erasing, destroyed, cleaned, events, largest } = erasure();
    expect(await erasing.erase(subject, randomUUID(), cause)).to.include({ finished: true });
    expect(destroyed).to.deep.equal(all).and.have.property('size').above(20_000);
    expect(cleaned).to.have.length(all.size);
    expect(
      new Set(
        events()
          .filter(({ type }) => type === 'SubjectErased')
          .flatMap(({ data }) => data['keys'] as string[]),
      ),
    ).to.deep.equal(all);
    expect(events().at(-1)!.type).to.equal('KeysDestroyed');
    expect(largest()).to.equal(1_000);
  });

  it('resumes where it stopped', async () => {
    const { erasing, destroyed, events } = erasure(9);
    expect(await erasing.erase(subject, randomUUID(), cause)).to.include({ finished: false });
    expect(destroyed.size).to.be.above(9_000).and.below(all.size);
    expect(await erasing.finish('account-7')).to.equal(true);
    expect(destroyed).to.deep.equal(all);
    expect(events().filter(({ type }) => type === 'KeysDestroyed')).to.have.length(1);
  });
});

describe('subjects of an erasure', () => {
  const owner = { kind: 'business', id: '1' } as const;
  const t1 = trackingId(owner, 'N1', 0);
  const streams: Record<string, readonly [type: string, data: JsonObject][]> = {
    'order-1': [
      ['OrderCreated', { order_id: 1, business: 1, packages: [{ tracking_number: 'N1' }] }],
      ['OrderCancelled', { replacement: { order_id: 2 } }],
    ],
    'order-2': [['OrderCreated', { order_id: 2, business: 1, replaces: 1, packages: [{ tracking_number: 'N2' }] }]],
    'order-3': [['OrderCreated', { order_id: 3, business: 1, replaces: 4, packages: [] }]],
    'order-4': [['OrderCreated', { order_id: 4, business: 2, packages: [{ tracking_number: 'N4' }] }]],
    'account-7': [['AccountOpened', { user_id: 7, business_id: 1 }]],
    'account-8': [['AccountOpened', { user_id: 8 }]],
    [`tracking-${t1}`]: [
      ['TrackingOpened', { owner, number: 'N1', subject: { tracking_number: 'N1', order_id: '1' } }],
    ],
    // The timeline names order 3, but order 3 does not list it.
    [`tracking-${trackingId(owner, 'N9', 0)}`]: [
      ['TrackingOpened', { owner, number: 'N9', subject: { tracking_number: 'N9', order_id: '3' } }],
    ],
    'tracking-00000000-0000-5000-8000-000000000001': [
      ['TrackingOpened', { owner: { kind: 'provider', id: 'x' }, number: 'N1', subject: { tracking_number: 'N1' } }],
    ],
  };
  const log = {
    readMany: async (names: readonly string[]) =>
      new Map(
        names.flatMap((name) =>
          streams[name]
            ? [
                [
                  name,
                  streams[name].map(([type, data]) => ({ type, data, version: 1 }) as unknown as StoredEvent),
                ] as const,
              ]
            : [],
        ),
      ),
  } as unknown as EventLog;
  const known = (id: string, of: { kind: 'business' | 'provider'; id: string }, number: string) => ({
    id,
    owner: of,
    number,
    generation: 0,
    writers: [],
    former_writers: [],
  });
  const { find, related } = createErasureSubjects({
    own: [],
    belongingsOf: async function* () {},
    log,
    types: EVENT_TYPES,
    ordersOf: async function* (subject) {
      if (subject === 'account-7') yield* [[2], [4, 3], []];
    },
    directory: {
      find: async (number) =>
        number === 'N1'
          ? [known(t1, owner, 'N1'), known('00000000-0000-5000-8000-000000000001', { kind: 'provider', id: 'x' }, 'N1')]
          : number === 'N9'
            ? [known(trackingId(owner, 'N9', 0), owner, 'N9')]
            : [],
    },
  });
  const both = ['order-1', 'order-2', t1, trackingId(owner, 'N2', 0)];

  it("an order: with its parcels, and its predecessor and successors, never another business's", async () => {
    for (const id of ['order-1', 'order-2'])
      expect((await find(id))[0])
        .to.deep.include({ subject: id, kind: 'order', business: 1 })
        .and.have.property('keys')
        .with.members(both);
    expect(await find('order-3')).to.deep.equal([
      { subject: 'order-3', kind: 'order', business: 1, keys: ['order-3'] },
    ]);
  });

  it("a parcel of an order means the order, by any of its names; a carrier's parcel is separate", async () => {
    for (const text of [t1, `tracking-${t1}`])
      expect((await find(text)).map(({ subject }) => subject)).to.deep.equal(['order-1']);
    expect((await find('n1')).map(({ subject, business }) => [subject, business])).to.deep.equal([
      ['order-1', 1],
      ['tracking-00000000-0000-5000-8000-000000000001', undefined],
    ]);
    expect((await find('N9')).map(({ keys }) => keys)).to.deep.equal([[trackingId(owner, 'N9', 0)]]);
  });

  it('an account: the account and, page by page, the orders of its person', async () => {
    expect(await find('account-7')).to.deep.equal([
      { subject: 'account-7', kind: 'account', business: 1, keys: ['account-7'] },
    ]);
    const pages: (readonly string[])[] = [];
    for await (const page of related('account-7', 1)) pages.push(page);
    expect(pages).to.have.length(3);
    expect(pages[0]).to.have.members(both);
    expect(pages.slice(1), "never another business's").to.deep.equal([['order-3'], []]);
    expect(await find('account-8')).to.deep.equal([
      { subject: 'account-8', kind: 'account', business: undefined, keys: ['account-8'] },
    ]);
  });

  it('unknown names: none', async () => {
    for (const text of ['order-99', 'account-99', randomUUID(), 'N77', '', 'order-', '../order-1'])
      expect(await find(text), text).to.deep.equal([]);
  });
});

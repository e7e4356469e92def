/** Ends of day: carriers without manifests, suspended accounts, the limits of a call, and the job of the rest. */
import { expect } from 'chai';
import { createEndDay, type EndDayOptions } from '../../../src/api/areas/manifests/end-day.js';
import { createInTurn } from '../../../src/api/areas/manifests/in-turn.js';
import { MAX_LABELS, planManifests } from '../../../src/api/areas/manifests/plan-manifests.js';
import { createSubmitOrders, LABEL_INFO } from '../../../src/api/areas/manifests/submit-orders.js';
import type { Context } from '../../../src/api/core/operation.js';
import { DomainError } from '../../../src/commands/core/domain-error.js';
import type { LabelCommand, LabelReply } from '../../../src/commands/labels/command.js';
import type { Handle } from '../../../src/commands/core/handle.js';
import type { NewManifest } from '../../../src/events/manifests/events.js';
import type { OpenLabel } from '../../../src/projections/manifests/queries.js';
import { CAUSE } from '../../support/worlds/test-core.js';

const order = (id: number, more: Partial<OpenLabel> = {}): OpenLabel => ({
  id,
  account_id: 1,
  adapter: 'with',
  ship_date: '2027-06-07',
  packages: 1,
  ...more,
});
const ids = (from: number, count: number): number[] => Array.from({ length: count }, (_, n) => from + n);

describe('ends of day', () => {
  let now: number;
  let submitted: number[];
  let queued: { readonly kind: string; readonly orderIds: readonly number[] }[];
  let openedManifests: NewManifest[];
  let reserved: number;
  beforeEach(() => {
    now = 1_000_000;
    [submitted, queued, openedManifests, reserved] = [[], [], [], 0];
  });

  const context = (more: object = {}) =>
    ({
      caller: { kind: 'user', role: 'employee', userId: 5, businessId: 9, timezone: 'Europe/Berlin' },
      cause: CAUSE,
      commandId: 'command',
      time: 1_000_000,
      header: () => undefined,
      wrote: () => undefined,
      reserveIds: (_sequence: unknown, count: number) => {
        reserved += 1;
        return Promise.resolve(ids(50, count));
      },
      ...more,
    }) as unknown as Context;
  const labels: Handle<LabelCommand, LabelReply> = (_stream, command) => {
    if (command.do !== 'submit_information') throw new Error(command.do);
    if (command.orderId === 13) throw new DomainError('ORDER_NOT_FOUND');
    submitted.push(command.orderId);
    now += 100;
    return Promise.resolve({ reply: undefined as never, changed: command.orderId !== 14, position: undefined });
  };
  const submitting = createSubmitOrders({
    labels,
    jobs: () => ({
      queue: (kind, work) => {
        queued.push({ kind, orderIds: (work as { readonly orderIds: readonly number[] }).orderIds });
        return Promise.resolve('job');
      },
    }),
  });
  const endDayOf = (orders: readonly OpenLabel[], more: Partial<EndDayOptions> = {}) =>
    createEndDay({
      queries: { openLabels: (_filter, _business, limit) => Promise.resolve(orders.slice(0, limit)) },
      openLabels: (found) => Promise.resolve(found),
      manifests: (_stream, command) => {
        if (command.do !== 'open') throw new Error(command.do);
        openedManifests.push(command.manifest);
        const reply = { manifest: command.manifest, call: undefined, effect: undefined };
        return Promise.resolve({ reply, changed: true, position: undefined });
      },
      read: (stream) =>
        Promise.resolve({
          state: {
            manifest: openedManifests.find(({ manifest_id }) => stream === `manifest-${manifest_id}`),
            effects: new Map(),
          },
          past: [],
        }),
      follow: { fill: () => Promise.resolve(true), settle: () => Promise.resolve(undefined) },
      submit: submitting.submit,
      adapterOf: (id) => (id === 'gone' ? undefined : id === 'with' ? { manifest: {} as never } : {}),
      isUnavailable: ({ id }) => id === 7,
      perform: () => Promise.reject(new Error('No effect has begun.')),
      inlineMs: 12_000,
      inTurn: createInTurn(),
      now: () => now,
      ...more,
    });

  it('labels 3: a carrier without manifests is not asked, and its orders are marked as submitted', async () => {
    const orders = [
      order(11),
      order(12, { account_id: 2, adapter: 'without' }),
      order(13, { account_id: 2, adapter: 'without' }),
    ];
    const ended = await endDayOf(orders)({}, 10_000, context());
    expect(openedManifests.map(({ account_id, order_ids }) => [account_id, order_ids])).to.deep.equal([[1, [11]]]);
    expect([submitted, ended.submitted]).to.deep.equal([[12], 1]);
    expect(ended.errors.map(({ order_id, code }) => [order_id, code])).to.deep.equal([[13, 'ORDER_NOT_FOUND']]);
  });

  it('an account that is suspended, or whose adapter is missing, keeps its orders', async () => {
    const orders = [
      order(21, { account_id: 7 }),
      order(22, { account_id: 8, adapter: 'gone' }),
      order(23, { account_id: 9 }),
    ];
    const ended = await endDayOf(orders)({}, 10_000, context());
    expect(ended.unavailable).to.deep.equal([7, 8]);
    expect(openedManifests.map(({ order_ids }) => order_ids)).to.deep.equal([[23]]);
    expect(submitted).to.deep.equal([]);
  });

  it('have one manifest for each account and ship date, with a limited number of labels', () => {
    const day = { ship_date: '2027-06-08' };
    const planned = planManifests([
      ...ids(1, MAX_LABELS + 1).map((id) => order(id)),
      order(900, day),
      order(901, { ...day, packages: 20 }),
      order(902, { account_id: 2, packages: MAX_LABELS }),
      order(903, { account_id: 2 }),
    ]);
    expect(planned.map(({ accountId, shipDate, orderIds }) => [accountId, shipDate, orderIds.length])).to.deep.equal([
      [1, '2027-06-07', MAX_LABELS],
      [1, '2027-06-07', 1],
      [1, '2027-06-08', 2],
      [2, '2027-06-07', 1],
      [2, '2027-06-07', 1],
    ]);
    expect(new Set(planned.flatMap(({ orderIds }) => orderIds)).size).to.equal(MAX_LABELS + 5);
  });

  it('end a limited number of manifests and orders in one call, and report that there are more', async () => {
    const accounts = ids(100, 21).map((account_id) => order(account_id, { account_id }));
    const ended = await endDayOf(accounts)({}, 10_000, context());
    expect([ended.hasMore, openedManifests.length, reserved]).to.deep.equal([true, 20, 1]);
    openedManifests = [];
    const many = ids(1, 10_001).map((id) => order(id));
    const most = await endDayOf(many)({}, 10_000, context());
    expect([most.hasMore, openedManifests.length]).to.deep.equal([true, 20]);
    expect(openedManifests.flatMap(({ order_ids }) => order_ids)).to.deep.equal(ids(1, 10_000));
  });

  it('open no manifest for labels that another request has taken', async () => {
    const ended = await endDayOf([order(31), order(32)], { openLabels: () => Promise.resolve([]) })({}, 0, context());
    expect([ended.skipped, openedManifests]).to.deep.equal([2, []]);
  });

  it('continue as a job when the time of the request is over, which changes each order once', async () => {
    const isOver = () => now - 1_000_000 >= 10_000;
    const all = ids(101, 240);
    const first = await submitting.submit(all, context(), isOver);
    expect([first.jobId, first.submitted]).to.deep.equal(['job', 100]);
    expect(queued).to.deep.equal([{ kind: LABEL_INFO, orderIds: all.slice(100) }]);
    const done: unknown[] = [];
    const job = {
      id: 'job',
      business: 9,
      cause: CAUSE,
      cancelled: new AbortController().signal,
      stopped: new AbortController().signal,
      done: (result: unknown) => void done.push(result),
      progress: () => undefined,
    };
    const result = await submitting.job.run({ orderIds: [...all.slice(100), 13, 14], by: 5 }, job as never);
    expect(result).to.deep.equal({
      submitted: 140,
      skipped: 1,
      failed: 1,
      errors: [{ order_id: 13, code: 'ORDER_NOT_FOUND' }],
    });
    expect(submitted).to.deep.equal([...all, 14]);
    expect(submitting.job.summarize!(result)).to.deep.equal({
      rejected: 1,
      counts: { total: 142, succeeded: 141, failed: 0, rejected: 1 },
    });
    expect(done.length).to.equal(3);
  });

  it('of one business run one after the other in a process, and those of others do not wait', async () => {
    const inTurn = createInTurn();
    const log: string[] = [];
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const first = inTurn(1, async () => {
      await held;
      log.push('first');
      throw new Error('first');
    });
    const second = inTurn(1, () => Promise.resolve(void log.push('second')));
    await inTurn(2, () => Promise.resolve(void log.push('other')));
    release();
    await first.catch(() => undefined);
    await second;
    expect(log).to.deep.equal(['other', 'first', 'second']);
  });
});

import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { openEngines } from '../../../src/engines/open.js';
import { leafHashOf } from '../../../src/events/tree/leaf.js';
import { START, type StoredEvent } from '../../../src/events/core/log.js';
import { MerkleTree } from '../../../src/events/tree/merkle.js';
import { verifyConsistency, verifyInclusion } from '../../../src/events/tree/merkle-proofs.js';
import { openHead } from '../../../src/events/tree/tree-head.js';
import {
  HeadContradicted,
  headsBetween,
  latestHead,
  publishHead,
  type PublishOptions,
} from '../../../src/projections/tree/heads.js';
import { leafAt } from '../../../src/projections/tree/leaves.js';
import { logTree } from '../../../src/projections/tree/log-tree.js';
import { openSigning, startHeadPublisher } from '../../../src/projections/tree/head-publisher.js';
import type { Projection } from '../../../src/projections/core/projection.js';
import { rebuild } from '../../../src/projections/rebuild/rebuild.js';
import {
  consistencyProof,
  differingTiles,
  inclusionProof,
  rootAt,
  treeSize,
} from '../../../src/projections/tree/tree-proofs.js';
import { WAIT_LIMIT_MS } from '../../support/eventually.js';
import { query } from '../../support/worlds/database.js';
import { openTestCore, type TestCore } from '../../support/worlds/test-core.js';

const KEY = Buffer.alloc(32, 9);
const TREE = logTree as unknown as Projection;

describe('log tree', () => {
  let core: TestCore;
  let signing: PublishOptions;

  beforeEach(async () => {
    core = await openTestCore();
    signing = await openSigning(core.engines.projectionPool, { key: KEY, baseUrl: 'https://log.example' });
  });
  afterEach(() => core.close());

  const event = (number: number) => ({
    id: randomUUID(),
    type: 'Counted',
    version: 1,
    json: JSON.stringify({ number }),
    metadata: { recorded_at: '2026-01-01T00:00:00.000Z' },
  });

  /** Appends this many events to a new stream. */
  async function append(count: number): Promise<void> {
    const [outcome] = await core.engines.log.append([
      {
        stream: `test-${randomUUID()}`,
        expected: 'no-stream',
        events: Array.from({ length: count }, (_, index) => event(index)),
      },
    ]);
    expect(outcome!.outcome).to.equal('appended');
  }

  /** Folds all events, in batches that do not align with tiles. */
  async function fold(): Promise<void> {
    const head = await core.engines.log.head();
    const runner = core.run({ projections: [TREE], batch: 100 });
    expect(await core.progress.waitFor('log_tree', head, WAIT_LIMIT_MS), String(runner.errors[0])).to.equal(true);
    await runner.stop();
    expect(runner.errors).to.deep.equal([]);
  }

  async function everything(): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    const stop = new AbortController();
    for await (const batch of core.engines.log.subscribe(START, { batch: 1_000, signal: stop.signal })) {
      events.push(...batch.events);
      if (batch.caughtUp) break;
    }
    stop.abort();
    return events;
  }

  const publish = () => publishHead(core.engines.projectionPool, signing);
  const tamper = (id: string) =>
    query(
      core.url,
      `alter table log.events disable trigger append_only; update log.events set data = replace(data::text, '1', '2')::json where id = '${id}'; alter table log.events enable trigger append_only`,
    );

  it('has the root of the log, and proofs of every event for every head, and of each head for the next', async () => {
    const sizes: number[] = [];
    for (const count of [1, 254, 1, 1, 300, 143]) {
      await append(count);
      await fold();
      sizes.push((await publish())!.size);
    }
    expect(sizes).to.deep.equal([1, 255, 256, 257, 557, 700]);
    const { pool, log } = core.engines;
    const events = await everything();
    const heads = await headsBetween(pool, 0, 1_000);
    expect(heads.map(({ size }) => size)).to.deep.equal(sizes);
    for (const head of heads) {
      const tree = new MerkleTree();
      for (const each of events.slice(0, head.size)) tree.append(leafHashOf(each));
      expect(openHead(head.note, [signing.signer.verifierKey])).to.deep.equal({
        origin: 'log.example/api/v1/audit/log',
        size: head.size,
        root: tree.root(),
      });
      for (const index of [0, 1, 100, 254, 255, 256, 511, 512, 556, head.size - 1]) {
        if (index >= head.size) continue;
        const leaf = await leafAt(events[index]!.position, { pool, log });
        expect(leaf).to.deep.equal({ index, event: events[index] });
        expect(
          verifyInclusion({
            leaf: leafHashOf(events[index]!),
            index,
            size: head.size,
            proof: await inclusionProof(pool, index, head.size),
            root: head.root,
          }),
          `${index} of ${head.size}`,
        ).to.equal(true);
      }
      for (const first of heads.filter(({ size }) => size <= head.size)) {
        expect(
          verifyConsistency({
            first: first.size,
            second: head.size,
            firstRoot: first.root,
            secondRoot: head.root,
            proof: await consistencyProof(pool, first.size, head.size),
          }),
          `${first.size} to ${head.size}`,
        ).to.equal(true);
      }
    }
    for (const position of ['0000000000000000000', '9999999999999999999'])
      expect(await leafAt(position, { pool, log })).to.equal(undefined);
    expect(await all(differingTiles(pool))).to.deep.equal([]);
  });

  it('accepts every stored event, also of an unknown type, version or stream', async () => {
    await core.engines.log.append([
      {
        stream: 'tracking-nothing',
        expected: 'no-stream',
        events: [{ ...event(1), type: 'TrackingOpened', version: 99 }],
      },
      { stream: 'unheard-of', expected: 'no-stream', events: [event(2)] },
    ]);
    await fold();
    expect(await treeSize(core.engines.pool)).to.equal(2);
    expect(await query(core.url, 'select stream from projections.quarantine')).to.deep.equal([]);
  });

  it('is the same when it is rebuilt', async () => {
    await append(600);
    await fold();
    await publish();
    await append(50);
    await fold();
    const { found, differences, events } = await core.replay(TREE, true, 333);
    expect([events, differences, found]).to.deep.equal([650, 0, []]);
    await append(10);
    await fold();
    expect((await publish())!.size).to.equal(660);
  });

  it('never grows beyond a published head with another root', async () => {
    await append(300);
    await fold();
    const published = await publish();
    const { id } = (await everything())[10]!;
    await tamper(id);
    // Another process, because this one remembers its own writes.
    const engines = await openEngines({
      databaseUrl: core.url,
      dataDir: '/nonexistent',
      eventStoreUrl: undefined,
      masterKey: core.masterKey,
    });
    try {
      const failure = await rebuild(TREE, {
        log: engines.log,
        pool: engines.projectionPool,
        types: EVENT_TYPES,
        switchOver: true,
      }).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failure).to.be.instanceOf(HeadContradicted);
      expect(await rootAt(engines.pool, 300)).to.deep.equal(published!.root);
      await query(
        core.url,
        "delete from log_tree.tiles; update projections.checkpoints set position = '', owner = null where name = 'log_tree'",
      );
      const runner = core.run({ projections: [TREE], log: engines.log });
      while (runner.errors.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      await runner.stop();
      expect(runner.errors[0]).to.be.instanceOf(HeadContradicted);
      expect(await treeSize(engines.pool)).to.be.below(300);
      expect(runner.quarantined).to.deep.equal([]);
      // No head is published in the meantime, and the last published head remains.
      expect(await publish()).to.equal(undefined);
      expect(await latestHead(engines.pool)).to.deep.equal(published);
    } finally {
      await engines.close();
    }
  });

  it('is not signed if its tiles differ from those of the last head', async () => {
    await append(300);
    await fold();
    const published = await publish();
    await query(
      core.url,
      "update log_tree.tiles set hashes = overlay(hashes placing '\\x00' from 33 for 1) where level = 0 and index = 1",
    );
    await append(1);
    await fold();
    const failure = await publish().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.be.instanceOf(HeadContradicted);
    expect(await latestHead(core.engines.pool)).to.deep.equal(published);
  });

  it('has immutable heads', async () => {
    await append(1);
    await fold();
    await publish();
    for (const sql of ['update notary.heads set root = root', 'delete from notary.heads', 'truncate notary.heads']) {
      expect(String(await query(core.url, sql).catch((error: unknown) => error)), sql).to.include(
        'published heads never change',
      );
    }
  });

  it('has one head per size, and only consistent heads, if several processes publish', async () => {
    const runner = core.run({ projections: [TREE], batch: 7 });
    let growing = true;
    const failures: unknown[] = [];
    const publishers = Array.from({ length: 4 }, async () => {
      while (growing) await publish().catch((error: unknown) => failures.push(error));
    });
    for (let turn = 0; turn < 40; turn++) await append(11);
    await core.progress.waitFor('log_tree', await core.engines.log.head(), WAIT_LIMIT_MS);
    growing = false;
    await Promise.all(publishers);
    await publish();
    await runner.stop();
    expect(failures).to.deep.equal([]);
    const { pool } = core.engines;
    const heads = await headsBetween(pool, 0, 1_000);
    expect(heads.at(-1)!.size).to.equal(440);
    expect(heads).to.have.length.above(5);
    for (const { size, root } of heads) expect(await rootAt(pool, size)).to.deep.equal(root);
  });

  it('is published soon after it grew, under its first name', async () => {
    core.run({ projections: [TREE] });
    const published: number[] = [];
    const errors: unknown[] = [];
    const notaries = ['https://one.example', 'https://other.example', undefined].map((baseUrl) =>
      startHeadPublisher({
        pool: core.engines.projectionPool,
        signing: { key: KEY, baseUrl },
        onPublished: ({ size }) => published.push(size),
        onError: (error) => errors.push(error),
      }),
    );
    await append(5);
    while (published.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    await Promise.all(notaries.map((notary) => notary.stop()));
    expect(errors).to.deep.equal([]);
    expect(published).to.deep.equal([5]);
    const head = await latestHead(core.engines.pool);
    expect(openHead(head!.note, [signing.signer.verifierKey]).origin).to.equal('log.example/api/v1/audit/log');
  });
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** The same content gives the same bytes, and a document is in the log before any caller receives it. */
import { expect } from 'chai';
import { issueLabels } from '../../../src/api/areas/orders/label.js';
import type { Issue } from '../../../src/api/core/printing/issue.js';
import { makePdf } from '../../../src/api/core/printing/pdf.js';
import type { Template } from '../../../src/api/core/printing/template.js';
import { sealedOf } from '../../../src/events/core/codec.js';
import { LogUnavailable, type StoredEvent } from '../../../src/events/core/log.js';
import { documentStream, linkStream } from '../../../src/events/documents/events.js';
import type { Order } from '../../../src/projections/orders/queries.js';
import { createMemoryLog, type MemoryLog } from '../../support/fakes/memory-log.js';
import { picturesOf } from '../../support/validators/pdf-pictures.js';
import { CALL, createTestIssue, keysInMemory } from '../../support/worlds/document-issue.js';

const NUMBER = /^D-[0-9A-HJKMNP-TV-Z]{10}$/;
const orderOf = (id: number, members: Partial<Order> = {}): Order =>
  ({
    id,
    business: 3,
    type: 'D',
    created_at: `2026-03-0${id}T10:00:00.000Z`,
    packages: [{ tracking_number: `OT${id}`, weight: 1.5 }, { tracking_number: `OT${id}B` }],
    delivery: { name: `Ada ${id}`, street: '12 Analytical Road', city: 'Łódź', country: 'PL' },
    ...members,
  }) as unknown as Order;

describe('issuing documents', () => {
  let log: MemoryLog;
  beforeEach(() => (log = createMemoryLog()));

  const print = (issue: Issue, orders: readonly Order[] = [orderOf(1)], title = 'Labels') =>
    issueLabels(issue, orders, ({ delivery }) => ({ from: { company: 'Sender' }, to: delivery ?? {} }), title, CALL);
  const issuedAs = (sha256: string): StoredEvent => log.streams.get(documentStream(sha256))![0]!;
  const numberOf = (sha256: string): string => issuedAs(sha256).data['number'] as string;

  it('creates the same bytes for the same content, in any process and at any time', async () => {
    const keyRing = keysInMemory();
    const one = await print(createTestIssue(log, { keyRing }));
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const other = await print(createTestIssue(createMemoryLog(), { keyRing }));
    expect(other.bytes.equals(one.bytes)).to.equal(true);
    expect(one.bytes.toString('latin1')).to.contain('D:20260301100000Z').and.to.not.contain('FlateDecode');
  });

  it('uses the given file id, because the library derives a predictable one from title and time', async () => {
    const page: Template<string> = {
      kind: 'label',
      name: 'page',
      version: 1,
      size: [100, 100],
      margin: 10,
      title: (text) => text,
      texts: (text) => [{ text }],
      draw: (pdf, draw, text) => {
        pdf.addPage();
        draw({ text }, { x: 10, y: 10, width: 80, height: 20, size: 8 });
        return Promise.resolve();
      },
    };
    const stamp = { number: 'D-0000000000', fileId: Buffer.alloc(16, 0xab), at: '2026-03-01T10:00:00.000Z' };
    const { bytes, pages } = await makePdf(page, 'Text', stamp);
    const id = `<${'ab'.repeat(16)}>`;
    expect([pages, bytes.toString('latin1').includes(`/ID [${id} ${id}]`)]).to.deep.equal([1, true]);
  });

  it('creates other bytes and another number for any difference', async () => {
    const issue = createTestIssue(log);
    const prints = [
      await print(issue),
      await print(issue, [orderOf(1, { delivery_instruction: 'Ring twice' })]),
      await print(issue, [orderOf(1, { created_at: '2026-03-01T11:00:00.000Z' })]),
      await print(issue, [orderOf(1, { business: 4 })]),
      await print(issue, [orderOf(1), orderOf(2)]),
      await print(issue, [orderOf(1)], 'Another title'),
      await print(createTestIssue(log, { secret: Buffer.alloc(32, 2) })),
    ];
    expect(new Set(prints.map(({ sha256 }) => sha256)).size).to.equal(prints.length);
    expect(new Set(prints.map(({ sha256 }) => numberOf(sha256))).size).to.equal(prints.length);
  });

  it('creates no bytes that could confirm a guess after an erasure, even with the secret', async () => {
    const keyRing = keysInMemory();
    const before = await print(createTestIssue(log, { keyRing }));
    keyRing.destroy('order-1');
    // The content is the same and could be guessed; the key of the order is new.
    const after = await print(createTestIssue(log, { keyRing }));
    expect(numberOf(after.sha256)).to.not.equal(numberOf(before.sha256));
    expect(after.bytes.equals(before.bytes)).to.equal(false);
  });

  it('logs the file in the name of the service, without personal data', async () => {
    const { sha256, bytes } = await print(createTestIssue(log));
    const { type, data, metadata } = issuedAs(sha256);
    expect([type, data]).to.deep.equal([
      'DocumentIssued',
      {
        sha256,
        kind: 'label',
        number: data['number'],
        business: 3,
        bytes: bytes.length,
        pages: 2,
        made_by: 'labels/1',
      },
    ]);
    expect(data['number']).to.match(NUMBER);
    expect(metadata['actor']).to.deep.equal({ kind: 'system', id: 'documents', channel: 'system' });
    expect(JSON.stringify(metadata)).to.not.contain('request').and.to.not.contain('token');
  });

  it('prints the number on every page', async () => {
    const { sha256, bytes } = await print(createTestIssue(log), [orderOf(1), orderOf(2)]);
    const pages = await picturesOf(bytes, 72);
    expect(pages).to.have.length(4);
    for (const { text } of pages) expect(text).to.contain(numberOf(sha256));
  });

  it('links it to each order under the key of that order', async () => {
    const { sha256 } = await print(createTestIssue(log), [orderOf(1), orderOf(2)]);
    const links = log.streams.get(linkStream(sha256))!;
    expect(links.map(({ data }) => sealedOf(data)!.subject)).to.deep.equal(['order-1', 'order-2']);
    for (const { data, metadata } of links) {
      expect(data).to.include({ sha256, business: 3, number: numberOf(sha256), requested_by: 7 });
      expect(data).to.not.have.property('subject');
      expect(metadata['$correlationId']).to.equal('a request');
    }
  });

  it('appends only for the first print, not for a reprint or a concurrent one', async () => {
    const issue = createTestIssue(log);
    const files = await Promise.all(Array.from({ length: 20 }, () => print(issue)));
    expect(new Set(files.map(({ sha256 }) => sha256)).size).to.equal(1);
    const [{ sha256 }] = files as [(typeof files)[0]];
    const before = { ...log.calls };
    expect(before.appends, 'both streams in one call').to.equal(1);
    await print(issue);
    expect(log.calls, 'a reprint').to.deep.equal(before);
    // A process that has not issued the document, or no longer remembers it.
    const forgetful = createTestIssue(log, { cacheSize: 1 });
    for (const orders of [[orderOf(1)], [orderOf(2)], [orderOf(3)], [orderOf(1)]]) await print(forgetful, orders);
    expect([...log.streams.keys()].filter((stream) => stream.startsWith('document-'))).to.include(
      documentStream(sha256),
    );
    for (const [stream, events] of log.streams) expect(events, stream).to.have.length(1);
  });

  it('returns no file while the log does not accept it, and does not remember it as issued', async () => {
    let away = true;
    const issue = createTestIssue({
      ...log,
      append: (appends) => (away ? Promise.reject(new LogUnavailable('away')) : log.append(appends)),
    });
    for (let attempt = 0; attempt < 2; attempt++)
      expect(await print(issue).catch((error: unknown) => error)).to.be.instanceOf(LogUnavailable);
    away = false;
    const { sha256 } = await print(issue);
    expect(issuedAs(sha256).data['sha256']).to.equal(sha256);
    expect(log.streams.get(linkStream(sha256))).to.have.length(1);
  });
});

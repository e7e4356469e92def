/**
 * Several processes issue invoices of one business at once, and a third of them are killed. The numbers have no gap and
 * no duplicate, no order is on two invoices, and each invoice has its PDF.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { invoiceStream, type IssuedInvoice } from '../../src/events/invoices/events.js';
import { expectSameReplay } from '../support/checks/replay.js';
import { call, type Answer } from '../support/clients/http.js';
import { atDepth } from '../support/depth.js';
import { eventually } from '../support/eventually.js';
import { killedAt } from '../support/processes/killed-at.js';
import {
  BRIEF_LEASES,
  endServiceProcesses,
  startServiceProcess,
  type ServiceProcess,
} from '../support/processes/service-process.js';
import { query } from '../support/worlds/database.js';
import { ALWAYS, openInvoicing, type Invoicing } from '../support/worlds/invoices.js';
import { startTestService, type TestService } from '../support/worlds/service.js';
import { signIns } from '../support/worlds/users.js';

const PROCESSES = atDepth(20, 3);
const INVOICES = atDepth(1_000, 24);
/** Processes that run at the same time: each needs connections and memory of the machine. */
const AT_ONCE = atDepth(5, 3);

describe('invoices of several processes', () => {
  let t: TestService;
  let of: Invoicing;
  let key: string;
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'transport-invoices-'));
    t = await startTestService({ env: { RATE_LIMIT_WRITE: '1000000', RATE_LIMIT_READ: '1000000' } });
    of = await openInvoicing(t);
    key = await signIns(t)('client_admin');
  });
  after(async () => {
    await endServiceProcesses();
    await t.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const body = { ...ALWAYS, currency: 'EUR' };
  const issueAt = (url: string): Promise<Answer | undefined> =>
    call(`${url}/api/v1/invoices`, { key, body: { ...body, customer_id: of.customer } }).catch(() => undefined);
  const issued = async (): Promise<IssuedInvoice[]> => {
    const events: IssuedInvoice[] = [];
    const { rows } = await t.service.engines.pool.query<{ year: number }>(
      'select distinct year from invoices.invoices',
    );
    for (const { year } of rows)
      for await (const { data } of t.service.engines.log.read(invoiceStream(1, year)))
        events.push(data as unknown as IssuedInvoice);
    return events.filter(({ series_number }) => series_number !== undefined);
  };
  const start = (): Promise<ServiceProcess> =>
    startServiceProcess({ dataDir, databaseUrl: t.databaseUrl, env: { ...BRIEF_LEASES, ROLES: 'api' } });

  async function expectComplete(): Promise<void> {
    const events = await issued();
    expect(events.map(({ series_number }) => series_number)).to.deep.equal(events.map((_event, index) => index + 1));
    const orders = events.flatMap(({ order_ids }) => order_ids);
    expect(new Set(orders).size, 'orders on one invoice each').to.equal(orders.length);
    for (const { invoice_id, document } of events) {
      const { json, text } = await of.pdf(invoice_id);
      const bytes = Buffer.from(json?.invoice_pdf?.pdf_base64 ?? '', 'base64');
      expect(createHash('sha256').update(bytes).digest('hex'), text.slice(0, 200)).to.equal(document.sha256);
    }
  }

  it('are numbered without a gap and without a duplicate, although a third of the processes are killed', async () => {
    let left = INVOICES;
    let started = 0;
    /** One process at a time: prices an order, invoices it here, and competes for it with the other processes. */
    async function client(): Promise<void> {
      while (started < PROCESSES) {
        const isKilled = started++ % 3 === 1;
        const service = await start();
        const end = isKilled ? sleep(200 + Math.random() * 2_000).then(() => service.end('SIGKILL')) : undefined;
        let isDead = false;
        void end?.then(() => (isDead = true));
        for (let count = 0; count < INVOICES / PROCESSES && left > 0 && !isDead; count++) {
          left--;
          await of.priced();
          await issueAt(service.url);
        }
        await (end ?? service.end('SIGTERM'));
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, client));
    // Charges that no process has invoiced, because it was killed.
    await of.issue();
    expect((await issued()).length).to.be.greaterThan(INVOICES / 4);
    await expectComplete();
    await expectSameReplay(t, ['invoices']);
  });

  it('whose process is killed before the event leave no number, and no document that can be read', async () => {
    const before = (await issued()).length;
    const order = await of.priced();
    await killedAt('InvoiceIssued', { databaseUrl: t.databaseUrl }, issueAt);
    expect(await issued()).to.have.length(before);
    expect((await of.bill(order)).is_invoiced).to.equal(false);
    const unused = await query(
      t.databaseUrl,
      "select id from vault.files where purpose = 'issued' and used_at is null",
    );
    expect(unused.length, 'its PDF is removed after a day').to.be.greaterThan(0);
    for (const { id } of unused) expect((await of.as('client_admin', `/files/${id}`)).status).to.equal(404);
    const { series_number, lines } = await of.issued(0);
    expect([series_number, lines[0].order_id]).to.deep.equal([before + 1, order]);
  });

  it('whose process is killed after the event are completed by another process', async () => {
    const order = await of.priced();
    await killedAt('DocumentIssued', { databaseUrl: t.databaseUrl }, issueAt);
    const invoice_id = await eventually(async () => (await of.bill(order)).invoice_id as number | null, 'the invoice');
    const { document } = (await issued()).find((event) => event.invoice_id === invoice_id)!;
    await eventually(async () => {
      const used = 'select id from vault.files where id = $1 and used_at is not null';
      return (await query(t.databaseUrl, used, [document.document_id])).length === 1;
    }, 'the PDF is kept');
    await expectComplete();
  });
});

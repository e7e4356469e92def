/** The snippet of the guide for shops, pasted unchanged into a page of another origin, in a common browser. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { openBrowser, openTab } from '../../support/processes/browser.js';
import { openOrderFixture } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { skip } from '../../support/run-summary.js';

const ATTACK = '<img src=x onerror="document.title=\'broken\'">';

describe('timeline on the page of a shop', () => {
  let browser: Browser | undefined;
  let t: TestService;
  let shop: Server;
  let snippet: string;

  before(async function () {
    browser = await openBrowser();
    if (!browser) return skip(this, 'no Chromium');
    const guide = await readFile('docs/guides/shop.md', 'utf8');
    snippet = /^```html\n([\s\S]*?)^```$/m.exec(guide)![1]!;
    t = await startTestService();
    shop = createServer((request, response) => {
      const { searchParams } = new URL(request.url!, 'http://shop');
      const pasted = snippet
        .replace('https://tms.example.com', searchParams.get('service') ?? t.url)
        .replace('DEMO0000001', searchParams.get('number')!);
      // The policy allows only the snippet and the service. The browser reports an error for any address in a hostile
      // text.
      const policy = `default-src 'none'; script-src 'unsafe-inline'; connect-src ${t.url}`;
      response.setHeader('Content-Type', 'text/html; charset=utf-8').setHeader('Content-Security-Policy', policy);
      response.end(`<!doctype html><html lang="${searchParams.get('lang')}"><title>Shop</title><body>${pasted}</body>`);
    }).listen(0, '127.0.0.1');
    await once(shop, 'listening');
  });
  after(async () => {
    await browser?.close();
    shop?.close();
    await t?.stop();
  });

  async function open(number: string, { lang = 'de' } = {}) {
    const tab = await openTab(browser!);
    // An origin other than that of the service, also by its host name.
    const { port } = shop.address() as AddressInfo;
    await tab.page.goto(`http://localhost:${port}/?${new URLSearchParams({ number, lang }).toString()}`);
    await tab.page.locator('#parcel > :last-child').waitFor();
    return tab;
  }

  it('uses no HTML parsing and no library', () => {
    expect(snippet).to.contain('textContent');
    expect(snippet).to.not.match(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|import|src=/);
    expect(snippet.split('\n').length).to.be.below(45);
  });

  it('shows status, plan and events, the latest first, in the language of the page', async () => {
    const fixture = openOrderFixture(t);
    const { order_id, tracking_numbers } = await fixture.order({ time_windows: [{ from: '09:00', to: '12:00' }] });
    const number = tracking_numbers[0] as string;
    await fixture.as('client_admin', `/orders/${order_id}/third-party`, { body: { provider: t.demo.provider.id } });
    const scan = { status_code: 'picked_up', location: { city: 'Hamburg', country: 'DE' } };
    const pushed = await t.push(timelineOf(number, [{ ...scan, occurred_at: new Date().toISOString() }]));
    await t.read(number, pushed);
    const { page, consoleErrors } = await open(number);
    expect(await page.locator('#parcel h2').textContent()).to.equal(`${number}: Abgeholt`);
    expect(await page.locator('#parcel p').textContent()).to.equal('2046-03-02, 09:00–12:00');
    const [first, second] = await page.locator('#parcel li').allTextContents();
    expect(first).to.match(/ · Abgeholt · Hamburg, DE$/);
    expect(second).to.match(/ · Sendungsdaten übermittelt$/);
    expect(consoleErrors).to.deep.equal([]);
    await page.context().close();
  });

  it('shows hostile text as text, whichever member has it', async () => {
    const number = newNumber();
    const location = { name: ATTACK, city: ATTACK, region: ATTACK };
    const pushed = await t.push(timelineOf(number, [event('in_transit', 1, { description: ATTACK, location })]));
    expect(pushed.json, pushed.text).to.include({ accepted: 1 });
    await t.read(number, pushed);
    const { page, consoleErrors } = await open(number);
    expect(await page.locator('#parcel li').textContent()).to.contain(`${ATTACK}, ${ATTACK}`);
    expect(await page.locator('img').count()).to.equal(0);
    expect([await page.title(), consoleErrors]).to.deep.equal(['Shop', []]);
    // Even if the service itself returned hostile text in its own fields:
    await page.route(`${t.url}/**`, (route) =>
      route.fulfill({
        headers: { 'Access-Control-Allow-Origin': '*' },
        json: {
          tracking_number: ATTACK,
          status: 's',
          planned_delivery: { date: ATTACK, windows: [] },
          events: [{ timestamp: ATTACK, status: 's', description: ATTACK, location: ATTACK }],
        },
      }),
    );
    await page.reload();
    await page.locator('#parcel li').waitFor();
    expect(await page.locator('#parcel').textContent()).to.contain(`${ATTACK}: ${ATTACK}`);
    expect([await page.locator('img').count(), await page.title(), consoleErrors]).to.deep.equal([0, 'Shop', []]);
    await page.context().close();
  });

  it('shows why there is nothing to show', async () => {
    const { page } = await open('NOBODYKNOWS1', { lang: 'en' });
    expect(await page.locator('#parcel p').textContent()).to.equal('No parcel is known by this number.');
    await page.context().close();
  });
});

/** The approvals page, as its readers have it: in a browser. */
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openTab, type Tab } from '../support/browser.js';
import { tokenOf } from '../support/mcp.js';
import { openOrderDesk } from '../support/orders.js';
import { agentOf, focusedId, scrollsSideways, signIn, startForReview, type Agent } from '../support/reviewing.js';
import type { TestService } from '../support/service.js';

const PAYLOADS = ['<img src=x onerror="window.hacked=1">', '<script>window.hacked=1</script>', '"><svg onload=window.hacked=1>', '</pre></blockquote><iframe srcdoc="<script>parent.hacked=1</script>"></iframe>', 'javascript:window.hacked=1', '{{constructor.constructor("window.hacked=1")()}}'];

describe('approvals page', () => {
  let browser: Browser | undefined;
  let service: TestService;
  let agent: Agent;
  let admin: string;
  let tabs: Tab[] = [];
  let turn = 0;

  before(async function () {
    this.timeout(60_000);
    browser = await openBrowser();
    if (!browser) return this.skip();
    service = await startForReview();
    [agent, admin] = await Promise.all([agentOf(service), tokenOf(service, 'client_admin')]);
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(async () => {
    const complaints = tabs.flatMap((tab) => tab.complaints);
    for (const { page } of tabs) await page.context().close();
    tabs = [];
    expect(complaints).to.deep.equal([]);
  });

  async function open(options = {}): Promise<Page> {
    const tab = await openTab(browser!, options);
    tabs.push(tab);
    return tab.page;
  }

  /** Of the server, whatever a page says. */
  const stored = async (id: string) => (await service.api(`/approvals/${id}`, { key: admin })).json.proposal;
  /** Something that changes something. */
  const other = () => ({ tracking_event_webhook_url: `http://127.0.0.1:9/${(turn += 1)}` });
  const address = async () => (await service.api('/webhook-settings', { key: admin })).json.tracking_event_webhook_url as string;

  it('says in its headers what it may do, and lets nobody frame it', async () => {
    for (const path of ['/mcp-approvals', '/mcp-approvals/approvals.js', '/mcp-approvals/approvals.css']) {
      const { status, headers } = await fetch(`${service.url}${path}`);
      expect(status, path).to.equal(200);
      expect(headers.get('content-security-policy')).to.include("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; form-action 'none'");
      expect(headers.get('x-frame-options')).to.equal('DENY');
      expect(headers.get('set-cookie')).to.equal(null);
    }
    const html = await (await fetch(`${service.url}/mcp-approvals`)).text();
    expect(html).not.to.match(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/i);
    expect((await fetch(`${service.url}/mcp-approvals`, { method: 'POST' })).status).to.equal(405);
  });

  it('an agent proposes, a human approves in two steps, and it is carried out', async () => {
    const change = other();
    const id = await agent.propose(change, 'The old endpoint is retired.');
    const page = await open();
    await signIn(page, service);
    await page.locator(`#proposal-${id}`).click();
    await page.getByRole('heading', { level: 2, name: 'Change webhook settings' }).waitFor();
    expect(JSON.parse((await page.locator('#arguments').textContent())!)).to.deep.equal(change);
    expect(await page.locator('#reason').textContent()).to.equal('The old endpoint is retired.');
    expect(await page.locator('#client').textContent()).to.equal('dispatch-agent/2.1');
    expect(await page.locator('#preview-0').textContent()).to.include(change.tracking_event_webhook_url);
    expect(await page.locator('#facts').textContent()).to.include('Demo client admin (user ').and.include('webhooks:write').and.include('in 3 days');

    await page.getByRole('button', { name: 'Approve…' }).click();
    expect(await page.getByRole('dialog').textContent()).to.include(change.tracking_event_webhook_url);
    expect((await stored(id)).status, 'after the first step').to.equal('pending');
    await page.getByRole('button', { name: 'Approve and carry out' }).click();
    await page.getByText('Approved and carried out.').waitFor();
    await page.locator('#detail-status', { hasText: 'carried out' }).waitFor();
    expect(await page.locator('#decision').isVisible()).to.equal(false);
    expect(await address()).to.equal(change.tracking_event_webhook_url);
    const after = await stored(id);
    expect(after).to.include({ status: 'executed' });
    expect(after.decision).to.include({ by: service.demo.users.client_admin.id });
  });

  it('an agent proposes to hold an order, a human approves, and the order is on hold', async () => {
    const desk = openOrderDesk(service);
    const { order_id } = await desk.order({});
    const reason = 'Recipient on holiday <img src=x onerror=window.hacked=1>';
    const id = await agent.propose({ order_id, reason }, reason, undefined, 'hold_order');
    const page = await open();
    await signIn(page, service, 'client_admin', `#proposal=${id}`);
    await page.locator('#arguments').waitFor();
    expect(JSON.parse((await page.locator('#arguments').textContent())!)).to.deep.equal({ order_id, reason });
    expect(await page.locator('#detail-title').textContent()).to.include(reason);
    await page.getByRole('button', { name: 'Approve…' }).click();
    expect((await desk.read(order_id)).status).to.equal('NEW_ORDER');
    await page.getByRole('button', { name: 'Approve and carry out' }).click();
    await page.getByText('Approved and carried out.').waitFor();
    expect((await desk.read(order_id)).status).to.equal('HOLD');
    expect(await page.evaluate('window.hacked')).to.equal(undefined);
  });

  it('a double click is one step, and Cancel is none', async () => {
    const id = await agent.propose(other());
    const page = await open();
    await signIn(page, service, 'client_admin', `#proposal=${id}`);
    await page.getByRole('button', { name: 'Approve…' }).click();
    await page.getByRole('button', { name: 'Approve and carry out' }).dispatchEvent('click', { detail: 2 });
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect((await stored(id)).status).to.equal('pending');
  });

  it('rejects with a comment; nothing is carried out', async () => {
    const before = await address();
    const id = await agent.propose(other());
    const page = await open();
    await signIn(page, service, 'client_admin', `#proposal=${id}`);
    await page.getByLabel(/^Comment/).fill('Not <b>today</b>');
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('Rejected. Nothing was carried out.').waitFor();
    await page.locator('#said').waitFor();
    expect(await page.locator('#said').textContent()).to.equal('Not <b>today</b>');
    expect(await stored(id)).to.deep.include({ status: 'rejected' }).and.to.have.nested.property('decision.comment', 'Not <b>today</b>');
    expect(await address()).to.equal(before);
  });

  it('what agents and people wrote stays text', async () => {
    const { api, demo } = service;
    const [auditor, name] = [demo.users.auditor.id, 'Eve <img src=x onerror=window.hacked=1>'];
    expect((await api(`/users/${auditor}`, { method: 'PATCH', key: admin, body: { name } })).status).to.equal(200);
    const evil = await agentOf(service, 'auditor');
    for (const payload of PAYLOADS) {
      const url = `http://127.0.0.1:9/?${payload}${turn++}`;
      const id = await evil.propose({ tracking_event_webhook_url: url }, payload, payload);
      const page = await open();
      await signIn(page, service, 'client_admin', `#proposal=${id}`);
      await page.locator('#arguments').waitFor();
      expect(await page.locator('#reason').textContent()).to.equal(payload);
      expect(await page.locator('#client').textContent()).to.equal(payload);
      expect(JSON.parse((await page.locator('#arguments').textContent())!)).to.deep.equal({ tracking_event_webhook_url: url });
      expect(await page.locator('#facts').textContent()).to.include(`${name} (user ${auditor})`);
      await page.getByRole('button', { name: 'Approve…' }).click();
      expect(await page.locator('main, dialog').locator('img, script, svg, iframe, b, object, embed, style').count(), payload).to.equal(0);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByLabel(/^Comment/).fill(payload);
      await page.getByRole('button', { name: 'Reject' }).click();
      await page.locator('#said').waitFor();
      expect(await page.locator('#said').textContent()).to.equal(payload);
      expect(await page.locator('main').locator('img, script, svg, iframe, b, object, embed, style').count(), payload).to.equal(0);
      expect(await page.evaluate('window.hacked'), payload).to.equal(undefined);
    }
  }).timeout(60_000);

  it('spells out what a reader could not see', async () => {
    const id = await agent.propose({ tracking_event_webhook_url: `http://127.0.0.1:9/\u202eelpmaxe\u200b${turn++}` }, 'abc\u202ecba\nnext \u{e0041}line');
    const page = await open();
    await signIn(page, service, 'client_admin', `#proposal=${id}`);
    await page.locator('#reason').waitFor();
    expect(await page.locator('#reason').textContent()).to.equal('abc\\u202ecba\nnext \\udb40\\udc41line');
    expect(await page.locator('#arguments').textContent()).to.include('\\u202eelpmaxe\\u200b');
    expect(await page.locator('#detail-title').textContent()).to.include('\\u202eelpmaxe');
  });

  it('shows what comes and what others decide by itself, and asks nothing while nobody looks', async () => {
    const page = await open();
    await signIn(page, service);
    const id = await agent.propose(other());
    await page.locator(`#proposal-${id}`).waitFor();
    expect(await page.getByRole('status').textContent()).to.equal('New proposals: 1');
    await page.locator(`#proposal-${id}`).click();
    await page.getByRole('button', { name: 'Approve…' }).click();
    expect((await service.api(`/approvals/${id}/reject`, { key: admin, body: {} })).status).to.equal(200);
    await page.getByText('This proposal is now: rejected.').waitFor();
    expect(await page.getByRole('dialog').count()).to.equal(0);
    expect(await page.locator('#decision').isVisible()).to.equal(false);

    await page.evaluate('Object.defineProperty(document, "hidden", { configurable: true, get: () => true }); document.dispatchEvent(new Event("visibilitychange"))');
    await page.waitForLoadState('networkidle');
    let asked = 0;
    page.on('request', () => void (asked += 1));
    await page.waitForTimeout(5_000);
    expect(asked).to.equal(0);
    await Promise.all([page.waitForRequest(/\/approvals\?/, { timeout: 2_000 }), page.evaluate('delete document.hidden; document.dispatchEvent(new Event("visibilitychange"))')]);
  });

  it('filters: mine, status, risk, tool', async () => {
    const [mine, theirs] = [await agent.propose(other()), await (await agentOf(service, 'auditor')).propose(other())];
    const page = await open();
    await signIn(page, service);
    const [one, two] = [page.locator(`#proposal-${mine}`), page.locator(`#proposal-${theirs}`)];
    await two.waitFor();
    await page.getByLabel('Proposed by').selectOption('Me');
    await two.waitFor({ state: 'detached' });
    expect(await one.count()).to.equal(1);
    await page.getByLabel('Risk', { exact: true }).selectOption('low');
    await page.getByText('No proposals.').waitFor();
    expect(await one.count()).to.equal(0);
    await page.getByLabel('Risk', { exact: true }).selectOption('high');
    await one.waitFor();
    await page.getByLabel('Status').selectOption('carried out');
    await one.waitFor({ state: 'detached' });
    await page.getByLabel('Status').selectOption('All');
    await one.waitFor();
    await page.getByLabel('Tool').fill('cancel_order');
    await page.keyboard.press('Tab');
    await page.getByText('No proposals.').waitFor();
  });

  it('who may not decide reads; who signs out, or whose session ends, reads nothing', async () => {
    const id = await agent.propose(other());
    const page = await open();
    await signIn(page, service, 'auditor', `#proposal=${id}`);
    await page.getByText('You may read this proposal, but not decide on it.').waitFor();
    expect(await page.getByRole('button', { name: /Approve|Reject/ }).count()).to.equal(0);
    const token = await page.evaluate<string>('sessionStorage.getItem("approvals-token")');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Signed out.').waitFor();
    expect(await page.evaluate('sessionStorage.length')).to.equal(0);
    expect(await page.locator('main').textContent()).not.to.include('127.0.0.1');
    await service.api('/user/me', { key: token }).then(({ status }) => expect(status).to.equal(401));

    await page.getByLabel('E-mail address').fill(service.demo.users.employee.email);
    await page.getByLabel('Password').fill('wrong-password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').filter({ hasText: /\S/ }).waitFor();
    expect(await focusedId(page)).to.equal('password');
    // The browser itself tells of an answer 401.
    const said = tabs.at(-1)!.complaints;
    expect(said.splice(0)).to.satisfy((lines: string[]) => lines.every((line) => line.includes('401')));
  });

  it('is used by keyboard alone, with the focus where it belongs and always visible', async () => {
    const change = other();
    const id = await agent.propose(change);
    const page = await open();
    await page.goto(`${service.url}/mcp-approvals`);
    await focusOn(page, 'email');
    const { email, password } = service.demo.users.client_admin;
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await focusOn(page, 'list-title');
    await tabTo(page, `proposal-${id}`);
    await page.keyboard.press('Enter');
    await focusOn(page, 'detail-title');
    await tabTo(page, 'approve');
    await page.keyboard.press('Enter');
    await focusOn(page, 'confirm-no');
    await page.keyboard.press('Escape');
    await focusOn(page, 'approve');
    expect((await stored(id)).status).to.equal('pending');
    await page.keyboard.press('Enter');
    await tabTo(page, 'confirm-yes');
    await page.keyboard.press('Enter');
    await page.getByText('Approved and carried out.').waitFor();
    expect(await focusedId(page)).to.equal('detail-title');
    await tabTo(page, 'sign-out');
    await page.keyboard.press('Enter');
    await focusOn(page, 'email');
    expect(await address()).to.equal(change.tracking_event_webhook_url);
  });

  it('fits a phone: no scrolling sideways, list and proposal one at a time', async () => {
    const long = await agent.propose({ tracking_event_webhook_url: `http://127.0.0.1:9/${'x'.repeat(900)}${turn++}` }, 'w'.repeat(900), 'c'.repeat(200));
    const page = await open({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: 'dark' });
    await page.goto(`${service.url}/mcp-approvals`);
    expect(await scrollsSideways(page)).to.equal(false);
    await signIn(page, service);
    await page.locator(`#proposal-${long}`).waitFor();
    expect(await scrollsSideways(page)).to.equal(false);
    await page.locator(`#proposal-${long}`).click();
    await page.locator('#reason').waitFor();
    expect(await page.locator('#list').isVisible()).to.equal(false);
    expect(await scrollsSideways(page)).to.equal(false);
    await page.getByRole('button', { name: 'Approve…' }).click();
    expect(await scrollsSideways(page)).to.equal(false);
    const { x, width } = (await page.getByRole('dialog').boundingBox())!;
    expect([x >= 0, x + width <= 390]).to.deep.equal([true, true]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await focusOn(page, `proposal-${long}`);
    expect(await page.locator('#detail').isVisible()).to.equal(false);
  });

  it('speaks the reader\'s language where it can', async () => {
    const page = await open({ locale: 'de-AT' });
    await page.goto(`${service.url}/mcp-approvals`);
    await page.getByRole('heading', { name: 'Zum Prüfen anmelden' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).to.equal('de');
  });
});

/** Waits until this has the focus. */
const focusOn = (page: Page, id: string): Promise<void> => page.locator(`#${id}:focus`).waitFor();

/** Presses Tab until this has the focus; whatever has it on the way shows it. */
async function tabTo(page: Page, id: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<{ id: string; outline: number } | undefined>('(() => { const e = document.activeElement; return e && e !== document.body ? { id: e.id, outline: parseFloat(getComputedStyle(e).outlineWidth) * (getComputedStyle(e).outlineStyle === "none" ? 0 : 1) } : undefined; })()');
    if (focused) expect(focused.outline, `focus on ${focused.id}`).to.be.greaterThan(1);
    if (focused?.id === id) return;
  }
  expect.fail(`Tab does not lead to #${id}`);
}

/** The approvals page in a browser, as readers use it: finding proposals, the keyboard, a phone, their language. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  agentOf,
  focusedId,
  openReview,
  scrollsSideways,
  signIn,
  type Review,
} from '../../support/worlds/reviewing.js';

describe('approvals page', () => {
  let review: Review;
  before(async function () {
    review = await openReview(this);
  });
  after(() => review?.stop());
  afterEach(async () => expect(await review.closeTabs()).to.deep.equal([]));

  it('shows new proposals and decisions of others automatically, and sends no requests while hidden', async () => {
    const { service, agent, admin } = review;
    const page = await review.open();
    await signIn(page, service);
    const id = await agent.propose(review.change());
    await page.locator(`#proposal-${id}`).waitFor();
    expect(await page.getByRole('status').textContent()).to.equal('New proposals: 1');
    await page.locator(`#proposal-${id}`).click();
    await page.getByRole('button', { name: 'Approve…' }).click();
    expect((await service.api(`/proposals/${id}/reject`, { key: admin, body: {} })).status).to.equal(200);
    await page.getByText('This proposal is now: rejected.').waitFor();
    expect(await page.getByRole('dialog').count()).to.equal(0);
    expect(await page.locator('#decision').isVisible()).to.equal(false);

    await page.evaluate(
      'Object.defineProperty(document, "hidden", { configurable: true, get: () => true }); document.dispatchEvent(new Event("visibilitychange"))',
    );
    await page.waitForLoadState('networkidle');
    let requestCount = 0;
    page.on('request', () => void (requestCount += 1));
    await page.waitForTimeout(5_000);
    expect(requestCount).to.equal(0);
    await Promise.all([
      page.waitForRequest(/\/proposals\?/),
      page.evaluate('delete document.hidden; document.dispatchEvent(new Event("visibilitychange"))'),
    ]);
  });

  it('filters: mine, status, risk, tool', async () => {
    const { service, agent } = review;
    const [mine, theirs] = [
      await agent.propose(review.change()),
      await (await agentOf(service, 'auditor')).propose(review.change()),
    ];
    const page = await review.open();
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
    await page.getByLabel('Status').selectOption('executed');
    await one.waitFor({ state: 'detached' });
    await page.getByLabel('Status').selectOption('All');
    await one.waitFor();
    await page.getByLabel('Tool').fill('cancel_order');
    await page.keyboard.press('Tab');
    await page.getByText('No proposals.').waitFor();
  });

  it('can be used by keyboard alone, with the right focus, which is always visible', async () => {
    const { service, agent } = review;
    const change = review.change();
    const id = await agent.propose(change);
    const page = await review.open();
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
    expect((await review.proposal(id)).status).to.equal('pending');
    await page.keyboard.press('Enter');
    await tabTo(page, 'confirm-yes');
    await page.keyboard.press('Enter');
    await page.getByText('Approved and executed.').waitFor();
    expect(await focusedId(page)).to.equal('detail-title');
    await tabTo(page, 'sign-out');
    await page.keyboard.press('Enter');
    await focusOn(page, 'email');
    expect(await review.address()).to.equal(change.tracking_event_webhook_url);
  });

  it('fits a phone: no horizontal scrolling, list and proposal one at a time', async () => {
    const { service, agent } = review;
    const long = await agent.propose(review.change('x'.repeat(900)), 'w'.repeat(900), 'c'.repeat(200));
    const page = await review.open({
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
      colorScheme: 'dark',
    });
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

  it('uses the language of the reader if possible', async () => {
    const { service } = review;
    const page = await review.open({ locale: 'de-AT' });
    await page.goto(`${service.url}/mcp-approvals`);
    await page.getByRole('heading', { name: 'Zum Prüfen anmelden' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).to.equal('de');
  });
});

/** Waits until this element has the focus. */
const focusOn = (page: Page, id: string): Promise<void> => page.locator(`#${id}:focus`).waitFor();

/** Presses Tab until this element has the focus. Each element that receives the focus on the way must show it. */
async function tabTo(page: Page, id: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<{ id: string; outline: number } | undefined>(
      '(() => { const e = document.activeElement; return e && e !== document.body ? { id: e.id, outline: parseFloat(getComputedStyle(e).outlineWidth) * (getComputedStyle(e).outlineStyle === "none" ? 0 : 1) } : undefined; })()',
    );
    if (focused) expect(focused.outline, `focus on ${focused.id}`).to.be.greaterThan(1);
    if (focused?.id === id) return;
  }
  expect.fail(`Tab does not lead to #${id}`);
}

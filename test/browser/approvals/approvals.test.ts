/** The approvals page in a browser: decisions of a reviewer are executed, and nothing else is. */
import { expect } from 'chai';
import { openOrderFixture } from '../../support/worlds/orders.js';
import { focusedId, openReview, signIn, type Review } from '../../support/worlds/reviewing.js';

describe('approvals page', () => {
  let review: Review;
  before(async function () {
    review = await openReview(this);
  });
  after(() => review?.stop());
  afterEach(async () => expect(await review.closeTabs()).to.deep.equal([]));

  it('an agent proposes, a reviewer approves in two steps, and the proposal is executed', async () => {
    const { service, agent } = review;
    const change = review.change();
    const id = await agent.propose(change, 'The old endpoint is retired.');
    const page = await review.open();
    await signIn(page, service);
    await page.locator(`#proposal-${id}`).click();
    await page.getByRole('heading', { level: 2, name: 'Change webhook settings' }).waitFor();
    expect(JSON.parse((await page.locator('#arguments').textContent())!)).to.deep.equal(change);
    expect(await page.locator('#reason').textContent()).to.equal('The old endpoint is retired.');
    expect(await page.locator('#client').textContent()).to.equal('dispatch-agent/2.1');
    expect(await page.locator('#preview-0').textContent()).to.include(change.tracking_event_webhook_url);
    expect(await page.locator('#facts').textContent())
      .to.include('Demo client admin (user ')
      .and.include('webhooks:write')
      .and.include('in 3 days');

    await page.getByRole('button', { name: 'Approve…' }).click();
    expect(await page.getByRole('dialog').textContent()).to.include(change.tracking_event_webhook_url);
    expect((await review.proposal(id)).status, 'after the first step').to.equal('pending');
    await page.getByRole('button', { name: 'Approve and execute' }).click();
    await page.getByText('Approved and executed.').waitFor();
    await page.locator('#detail-status', { hasText: 'executed' }).waitFor();
    expect(await page.locator('#decision').isVisible()).to.equal(false);
    expect(await review.address()).to.equal(change.tracking_event_webhook_url);
    const after = await review.proposal(id);
    expect(after).to.include({ status: 'executed' });
    expect(after.decision).to.include({ decided_by: service.demo.users.client_admin.id });
  });

  it('an agent proposes to hold an order, a reviewer approves, and the order is on hold', async () => {
    const { service, agent } = review;
    const fixture = openOrderFixture(service);
    const { order_id } = await fixture.order({});
    const reason = 'Recipient on holiday <img src=x onerror=window.hacked=1>';
    const id = await agent.propose({ order_id, reason }, reason, undefined, 'hold_order');
    const page = await review.open();
    await signIn(page, service, 'client_admin', `#proposal=${id}`);
    await page.locator('#arguments').waitFor();
    expect(JSON.parse((await page.locator('#arguments').textContent())!)).to.deep.equal({ order_id, reason });
    expect(await page.locator('#detail-title').textContent()).to.include(reason);
    await page.getByRole('button', { name: 'Approve…' }).click();
    expect((await fixture.read(order_id)).status).to.equal('NEW_ORDER');
    await page.getByRole('button', { name: 'Approve and execute' }).click();
    await page.getByText('Approved and executed.').waitFor();
    expect((await fixture.read(order_id)).status).to.equal('HOLD');
    expect(await page.evaluate('window.hacked')).to.equal(undefined);
  });

  it('M5: shows reference, recipient, old and new values and the key; the first to expire is on top', async () => {
    const { service, agent } = review;
    const windows = [{ stop: 'delivery', from: '09:00', to: '12:00' }];
    await openOrderFixture(service).order({ order_ref: 'PAGE-1', time_windows: windows });
    const args = { order_refs: ['PAGE-1'], time_windows: [{ stop: 'delivery', from: '14:00', to: '16:00' }] };
    const id = await agent.propose(args, undefined, undefined, 'update_time_window_by_refs');
    const later = await agent.propose(
      { order_refs: ['PAGE-1'], schedule_date: '2046-04-01' },
      undefined,
      undefined,
      'update_time_window_by_refs',
    );
    const page = await review.open();
    await signIn(page, service);
    const entry = page.locator(`#proposal-${id}`);
    await entry.waitFor();
    expect(await entry.textContent())
      .to.include('PAGE-1, Ada Lovelace, Toronto')
      .and.include('time_windows: 09:00-12:00 → 14:00-16:00')
      .and.include('agent')
      .and.match(/expires .*in 3 days/);
    const listed = await page.locator('#proposals a').evaluateAll((links) => links.map((link) => link.id));
    expect(listed.indexOf(`proposal-${id}`)).to.be.lessThan(listed.indexOf(`proposal-${later}`));
    await entry.click();
    await page.locator('table.changes').waitFor();
    expect(await page.locator('table.changes tbody').textContent()).to.equal('time_windows09:00-12:0014:00-16:00');
    expect(await page.locator('#facts').textContent()).to.include('Key or applicationagent');
  });

  it('a double click counts as one step, and Cancel as none', async () => {
    const { service, agent } = review;
    const id = await agent.propose(review.change());
    const page = await review.open();
    await signIn(page, service, 'client_admin', `#proposal=${id}`);
    await page.getByRole('button', { name: 'Approve…' }).click();
    await page.getByRole('button', { name: 'Approve and execute' }).dispatchEvent('click', { detail: 2 });
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect((await review.proposal(id)).status).to.equal('pending');
  });

  it('rejects with a comment, and executes nothing', async () => {
    const { service, agent } = review;
    const before = await review.address();
    const id = await agent.propose(review.change());
    const page = await review.open();
    await signIn(page, service, 'client_admin', `#proposal=${id}`);
    await page.getByLabel(/^Comment/).fill('Not <b>today</b>');
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('Rejected. Nothing was executed.').waitFor();
    await page.locator('#said').waitFor();
    expect(await page.locator('#said').textContent()).to.equal('Not <b>today</b>');
    expect(await review.proposal(id))
      .to.deep.include({ status: 'rejected' })
      .and.to.have.nested.property('decision.comment', 'Not <b>today</b>');
    expect(await review.address()).to.equal(before);
  });

  it('users without permission can only read; after sign-out or the end of the session nothing is readable', async () => {
    const { service, agent } = review;
    const id = await agent.propose(review.change());
    const page = await review.open();
    await signIn(page, service, 'auditor', `#proposal=${id}`);
    await page.getByText('You can read this proposal, but not decide on it.').waitFor();
    expect(await page.getByRole('button', { name: /Approve|Reject/ }).count()).to.equal(0);
    const token = await page.evaluate<string>('sessionStorage.getItem("approvals-token")');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Signed out.').waitFor();
    expect(await page.evaluate('sessionStorage.length')).to.equal(0);
    expect(await page.locator('main').textContent()).not.to.include('127.0.0.1');
    await service.api('/me', { key: token }).then(({ status }) => expect(status).to.equal(401));

    await page.getByLabel('E-mail address').fill(service.demo.users.employee.email);
    await page.getByLabel('Password').fill('wrong-password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').filter({ hasText: /\S/ }).waitFor();
    expect(await focusedId(page)).to.equal('password');
    // The browser itself reports the 401 response.
    const pageErrors = review.tabs.at(-1)!.consoleErrors;
    expect(pageErrors.splice(0)).to.satisfy((lines: string[]) => lines.every((line) => line.includes('401')));
  });
});

/**
 * The approvals page in a browser: texts of agents and users are shown as plain text, and the page shows proposals
 * unaltered.
 */
import { expect } from 'chai';
import { agentOf, openReview, signIn, type Review } from '../../support/worlds/reviewing.js';

const PAYLOADS = [
  '<img src=x onerror="window.hacked=1">',
  '<script>window.hacked=1</script>',
  '"><svg onload=window.hacked=1>',
  '</pre></blockquote><iframe srcdoc="<script>parent.hacked=1</script>"></iframe>',
  'javascript:window.hacked=1',
  '{{constructor.constructor("window.hacked=1")()}}',
];

describe('approvals page', () => {
  let review: Review;
  before(async function () {
    review = await openReview(this);
  });
  after(() => review?.stop());
  afterEach(async () => expect(await review.closeTabs()).to.deep.equal([]));

  it('sets its policy in headers, and forbids framing', async () => {
    const { service } = review;
    for (const path of ['/mcp-approvals', '/mcp-approvals/approvals.js', '/mcp-approvals/approvals.css']) {
      const { status, headers } = await fetch(`${service.url}${path}`);
      expect(status, path).to.equal(200);
      expect(headers.get('content-security-policy')).to.include(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
      );
      expect(headers.get('x-frame-options')).to.equal('DENY');
      expect(headers.get('set-cookie')).to.equal(null);
    }
    const html = await (await fetch(`${service.url}/mcp-approvals`)).text();
    expect(html).not.to.match(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/i);
    expect((await fetch(`${service.url}/mcp-approvals`, { method: 'POST' })).status).to.equal(405);
  });

  it('shows texts of agents and users as plain text', async () => {
    const { service, admin } = review;
    const { api, demo } = service;
    const [auditor, name] = [demo.users.auditor.id, 'Eve <img src=x onerror=window.hacked=1>'];
    expect((await api(`/users/${auditor}`, { method: 'PATCH', key: admin, body: { name } })).status).to.equal(200);
    const evil = await agentOf(service, 'auditor');
    for (const payload of PAYLOADS) {
      const change = review.change(`?${payload}`);
      const id = await evil.propose(change, payload, payload);
      const page = await review.open();
      await signIn(page, service, 'client_admin', `#proposal=${id}`);
      await page.locator('#arguments').waitFor();
      expect(await page.locator('#reason').textContent()).to.equal(payload);
      expect(await page.locator('#client').textContent()).to.equal(payload);
      expect(JSON.parse((await page.locator('#arguments').textContent())!)).to.deep.equal(change);
      expect(await page.locator('#facts').textContent()).to.include(`${name} (user ${auditor})`);
      await page.getByRole('button', { name: 'Approve…' }).click();
      expect(
        await page.locator('main, dialog').locator('img, script, svg, iframe, b, object, embed, style').count(),
        payload,
      ).to.equal(0);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByLabel(/^Comment/).fill(payload);
      await page.getByRole('button', { name: 'Reject' }).click();
      await page.locator('#said').waitFor();
      expect(await page.locator('#said').textContent()).to.equal(payload);
      expect(
        await page.locator('main').locator('img, script, svg, iframe, b, object, embed, style').count(),
        payload,
      ).to.equal(0);
      expect(await page.evaluate('window.hacked'), payload).to.equal(undefined);
    }
  });

  it('spells out invisible characters', async () => {
    const { service, agent } = review;
    const id = await agent.propose(review.change('\u202eelpmaxe\u200b'), 'abc\u202ecba\nnext \u{e0041}line');
    const page = await review.open();
    await signIn(page, service, 'client_admin', `#proposal=${id}`);
    await page.locator('#reason').waitFor();
    expect(await page.locator('#reason').textContent()).to.equal('abc\\u202ecba\nnext \\udb40\\udc41line');
    expect(await page.locator('#arguments').textContent()).to.include('\\u202eelpmaxe\\u200b');
    expect(await page.locator('#detail-title').textContent()).to.include('\\u202eelpmaxe');
  });
});

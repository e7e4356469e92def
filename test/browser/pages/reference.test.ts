/** The pages for developers in a browser: the API reference and GraphiQL. Nothing is loaded from another origin. */
import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { eventually } from '../../support/eventually.js';
import { NO_BROWSER, openBrowser, openTab, type Tab } from '../../support/processes/browser.js';
import { skip } from '../../support/run-summary.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { scrollsSideways } from '../../support/worlds/reviewing.js';
import { signIns } from '../../support/worlds/users.js';

const PHONE = { viewport: { width: 390, height: 844 } };
const DESKTOP = { viewport: { width: 1_280, height: 800 } };

describe('pages for developers', () => {
  let browser: Browser;
  let t: TestService;
  let token: string;
  const tabs: Tab[] = [];
  /** Requests to other origins, failed requests, and requests that the service rejects. */
  const wrong: string[] = [];
  before(async function () {
    browser = (await openBrowser()) ?? skip(this, NO_BROWSER);
    t = await startTestService();
    token = await signIns(t)('client_admin');
  });
  after(async () => {
    await browser?.close();
    await t?.stop();
  });
  afterEach(async () => {
    const closed = tabs.splice(0);
    for (const { page } of closed) await page.context().close();
    expect(closed.flatMap(({ consoleErrors }) => consoleErrors)).to.deep.equal([]);
    expect(wrong.splice(0)).to.deep.equal([]);
  });

  async function open(path: string, options: BrowserContextOptions = DESKTOP): Promise<Page> {
    const tab = await openTab(browser, options);
    tabs.push(tab);
    const { page } = tab;
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== t.url && !['data:', 'blob:'].includes(protocol)) wrong.push(`elsewhere: ${request.url()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) wrong.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(`${t.url}${path}`);
    return page;
  }

  describe('/api/docs', () => {
    it('finds an operation by a word, and shows it in curl, JavaScript and Python', async () => {
      const page = await open('/api/docs');
      await page.getByRole('heading', { level: 1, name: 'Open Transport' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('formats');
      await page
        .getByRole('option', { name: /\/v1\/otep\/formats/ })
        .first()
        .click();
      await page.waitForURL(/formats/);
      const operation = page.locator('section, article').filter({ hasText: 'Test Request' });
      await operation.first().waitFor();
      for (const [tab, text] of [
        ['Shell', 'curl'],
        ['JavaScript', 'fetch('],
        ['Python', 'requests.'],
      ] as const) {
        await page
          .getByRole('tab', { name: tab, exact: true })
          .or(page.getByRole('button', { name: tab, exact: true }))
          .first()
          .click();
        await page.locator('pre, code').filter({ hasText: text }).first().waitFor();
      }
    });

    it('sends a request with a token', async () => {
      const page = await open('/api/docs#tag/orders/GET/v1/orders');
      await page.getByRole('button', { name: /Test Request\s*\(get \/v1\/orders\)/ }).click();
      await page.getByRole('dialog').getByPlaceholder('Token').fill(token);
      const response = page.waitForResponse((one) => one.url().startsWith(`${t.url}/api/v1/orders`));
      await page.getByRole('button', { name: /^Send/ }).first().click();
      expect((await response).status()).to.equal(200);
      await page.getByRole('dialog').getByText('200').first().waitFor();
    });

    it('redirects an old link of an error code to the list of codes', async () => {
      const page = await open('/api/docs#TRACKING_NOT_FOUND');
      await page.waitForURL(`${t.url}/api/docs/errors#TRACKING_NOT_FOUND`);
      expect(await page.locator('tr:target').textContent()).to.contain('TRACKING_NOT_FOUND');
    });

    it('fits a phone', async () => {
      const page = await open('/api/docs', PHONE);
      await page.getByRole('heading', { level: 1, name: 'Open Transport' }).waitFor();
      expect(await scrollsSideways(page)).to.equal(false);
      await page.goto(`${t.url}/api/docs/errors`);
      expect(await scrollsSideways(page)).to.equal(false);
    });

    it('without JavaScript links to the OpenAPI document', async () => {
      const page = await open('/api/docs', { ...DESKTOP, javaScriptEnabled: false });
      expect(await page.getByRole('link', { name: 'openapi.json' }).getAttribute('href')).to.equal('/api/openapi.json');
    });
  });

  describe('/api/graphql', () => {
    const editor = (page: Page) => page.locator('.graphiql-query-editor .view-lines').first();
    async function write(page: Page, text: string): Promise<void> {
      await editor(page).click();
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      await page.keyboard.insertText(text);
    }
    /** Waits until the schema is loaded, that is, until the documentation shows it. */
    async function openSchema(page: Page): Promise<void> {
      await page
        .getByRole('button', { name: /documentation explorer/i })
        .first()
        .click();
      await page.getByText('Query', { exact: true }).first().waitFor();
    }

    it('completes a field of the schema', async () => {
      const page = await open('/api/graphql');
      await openSchema(page);
      await write(page, '{ otepF');
      const suggestion = page.locator('.suggest-widget').getByText('otepFormats').first();
      // The editor may not have the schema yet: then it has no suggestions.
      await eventually(async () => {
        await page.keyboard.press('Escape');
        await page.keyboard.press('Control+Space');
        await page.locator('.suggest-widget.visible').waitFor();
        return suggestion.isVisible();
      }, 'a suggestion');
      await page.keyboard.press('Enter');
      await page.getByText('otepFormats').first().waitFor();
    });

    it('runs a query with a token, and does not store the token', async () => {
      const page = await open('/api/graphql');
      await editor(page).waitFor();
      await page.getByRole('button', { name: 'Headers', exact: true }).click();
      await page.locator('.graphiql-editor-tool .view-lines:visible').first().click();
      await page.keyboard.insertText(JSON.stringify({ Authorization: `Bearer ${token}` }));
      await write(page, '{ me { user { email } } }');
      await page.getByRole('button', { name: /execute query/i }).click();
      await page.locator('.graphiql-response').getByText(t.demo.users.client_admin.email).first().waitFor();
      expect(await page.evaluate('JSON.stringify(localStorage)')).to.not.contain(token);
    });

    it('shows the events of a subscription', async () => {
      const page = await open('/api/graphql');
      const number = t.demo.trackings[0]!;
      await write(
        page,
        `subscription { trackingEvents(trackingNumber: "${number}", after: "1") { trackingNumber revision } }`,
      );
      await page.getByRole('button', { name: /execute query/i }).click();
      await page.locator('.graphiql-response').getByText(number).first().waitFor();
    });

    it('fits a phone', async () => {
      const page = await open('/api/graphql', PHONE);
      await editor(page).waitFor();
      expect(await scrollsSideways(page)).to.equal(false);
      const response = (await page.locator('.graphiql-response').first().boundingBox())!;
      expect(response.width).to.be.above(200);
    });
  });
});

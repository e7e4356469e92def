/**
 * Popular MCP hosts with nothing but the address of the service. Each opens the sign-in page in a real browser, gets a
 * token with the scopes of the default profile, and calls a tool that requires it.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { PROFILES } from '../../../src/api/core/scopes.js';
import { application, GENERATIONS, hostOf, type HostClient } from '../../support/clients/hosts.js';
import { startMcpRemote } from '../../support/clients/mcp-remote.js';
import { openBrowser, openTab } from '../../support/processes/browser.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { skip } from '../../support/run-summary.js';

describe('agents O1: hosts with only the address', () => {
  let browser: Browser | undefined;
  let service: TestService;
  /** The server of the redirect address; it receives the parameters of the authorization response. */
  let callback: Server;
  let redirectUrl: string;
  let came: (answer: URLSearchParams) => void = () => undefined;

  before(async function () {
    browser = await openBrowser();
    if (!browser) return skip(this, 'no Chromium');
    service = await startTestService();
    callback = createServer((request, response) => {
      const { searchParams } = new URL(request.url!, 'http://localhost');
      response.end('You may close this window.');
      if (searchParams.has('code')) came(searchParams);
    }).listen(0, '127.0.0.1');
    await once(callback, 'listening');
    redirectUrl = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`;
  });
  after(async () => {
    await browser?.close();
    callback?.close();
    await service?.stop();
  });

  /** Steps of a user on the page to which the host sent them. */
  async function signIn(url: string): Promise<string[]> {
    const { page, consoleErrors } = await openTab(browser!);
    await page.goto(url);
    const { email, password } = service.demo.users.client_admin;
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Grant access' }).waitFor();
    const ticked = await tickedIn(page);
    expect(consoleErrors).to.deep.equal([]);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL((at) => !at.href.startsWith(service.url));
    await page.context().close();
    return ticked;
  }
  const tickedIn = (page: Page): Promise<string[]> =>
    page
      .locator('input[name=scope]:checked')
      .evaluateAll((boxes) => boxes.map((box) => (box as { value: string }).value));

  async function expectWorks(client: HostClient): Promise<void> {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).to.include.members(['track_package', 'get_orders', 'propose_write']);
    const { isError, content } = await client.callTool({ name: 'get_orders', arguments: {} });
    expect(isError, JSON.stringify(content)).not.to.equal(true);
    expect(content[0]!.text!).to.include('"orders":[');
  }

  for (const generation of GENERATIONS)
    it(`the official SDK ${generation} signs in and calls get_orders`, async () => {
      let sent: URL | undefined;
      const app = application(redirectUrl, (url) => (sent = url));
      const host = await hostOf(generation, `${service.url}/mcp`, { authProvider: app });
      const first = await host.connect().then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(first, 'somebody must sign in first').to.be.instanceOf(Error);
      expect(sent, String(first)).to.be.instanceOf(URL);
      const answer = new Promise<URLSearchParams>((resolve) => (came = resolve));
      expect(await signIn(sent!.href)).to.have.members([...PROFILES['ops-readonly']]);
      await host.finish(await answer);
      expect(app.tokens()!.scope?.split(' ')).to.have.members([...PROFILES['ops-readonly']]);
      const client = await host.connect();
      await expectWorks(client);
      await client.close();
    });

  it('mcp-remote signs in and calls get_orders', async () => {
    const remote = await startMcpRemote(service.url, '/mcp');
    try {
      const url = await remote.nextPage(remote.connected);
      expect(await signIn(url)).to.have.members([...PROFILES['ops-readonly']]);
      await remote.connected;
      await expectWorks(remote.client);
    } catch (error) {
      throw new Error(`${String(error)}\n${remote.output()}`, { cause: error });
    } finally {
      await remote.stop();
    }
  });
});

/** The approvals page in a browser: an agent that proposes over MCP, and a reviewer who signs in. */
import { expect } from 'chai';
import type { Context } from 'mocha';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { NO_BROWSER, openBrowser, openTab, type Tab } from '../processes/browser.js';
import { callTool, tokenOf } from '../clients/mcp.js';
import { startTestService, type TestService } from './service.js';
import type { UserName } from './users.js';
import { skip } from '../run-summary.js';

interface Agent {
  /**
   * Proposes a change of webhook settings, which has a high risk, or the call of another tool. Returns the id of the
   * proposal.
   */
  readonly propose: (args: object, reason?: string, client?: string, tool?: string) => Promise<string>;
}

/**
 * Starts a service whose webhook settings can be proposed. Private addresses are allowed, because no test calls
 * external endpoints.
 */
export async function startForReview(): Promise<TestService> {
  const service = await startTestService({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  const { status } = await service.api('/webhook-settings', {
    method: 'PUT',
    key: await tokenOf(service, 'client_admin'),
    body: { webhook_secret: 'sixteen-characters' },
  });
  expect(status).to.equal(200);
  return service;
}

/** Creates an agent with an API key that may only read and propose. */
export async function agentOf(service: TestService, who: UserName = 'client_admin'): Promise<Agent> {
  const made = await service.api('/api-keys', {
    key: await tokenOf(service, who),
    body: { name: 'agent', profile: 'ops-readonly' },
  });
  expect(made.status).to.equal(201);
  const token = made.json.secret as string;
  return {
    async propose(args, reason, client = 'dispatch-agent/2.1', tool = 'update_webhook_settings') {
      const { structuredContent, isError } = await callTool(
        service,
        'propose_write',
        { tool, arguments: args, ...(reason !== undefined && { reason }) },
        { token, headers: { 'user-agent': client } },
      );
      expect(isError, JSON.stringify(structuredContent)).not.to.equal(true);
      return (structuredContent['proposal'] as { id: string }).id;
    },
  };
}

export type Review = Awaited<ReturnType<typeof openReview>>;

/**
 * Opens a browser for the tests of a suite, which is skipped if there is none. Also provides an agent of the client
 * admin, and the results of its proposals.
 */
export async function openReview(suite: Context) {
  const browser = await openBrowser();
  if (!browser) return skip(suite, NO_BROWSER);
  const service = await startForReview();
  const [agent, admin] = await Promise.all([agentOf(service), tokenOf(service, 'client_admin')]);
  const tabs: Tab[] = [];
  let turn = 0;
  return {
    service,
    agent,
    admin,
    tabs,
    async open(options?: BrowserContextOptions): Promise<Page> {
      const tab = await openTab(browser, options);
      tabs.push(tab);
      return tab.page;
    },
    /** Closes all tabs and returns the errors of their pages. */
    async closeTabs(): Promise<string[]> {
      const closed = tabs.splice(0);
      const complaints = closed.flatMap((tab) => tab.consoleErrors);
      for (const { page } of closed) await page.context().close();
      return complaints;
    },
    /** Returns the proposal from the server, independent of the page. */
    proposal: async (id: string) => (await service.api(`/proposals/${id}`, { key: admin })).json.proposal,
    /** Returns settings that differ in each call, so that each call is a change. */
    change: (path = '') => ({ tracking_event_webhook_url: `http://127.0.0.1:9/${path}${(turn += 1)}` }),
    address: async (): Promise<string> =>
      (await service.api('/webhook-settings', { key: admin })).json.webhook_settings.tracking_event_webhook_url,
    async stop() {
      await browser.close();
      await service.stop();
    },
  };
}

export async function signIn(
  page: Page,
  { url, demo }: TestService,
  who: UserName = 'client_admin',
  hash = '',
): Promise<void> {
  await page.goto(`${url}/mcp-approvals${hash}`);
  await page.getByLabel('E-mail address').fill(demo.users[who].email);
  await page.getByLabel('Password').fill(demo.users[who].password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Proposals' }).or(page.locator('#detail-title')).first().waitFor();
}

/** Returns whether the page overflows to the right. */
export const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
export const focusedId = (page: Page): Promise<string> => page.evaluate('document.activeElement?.id ?? ""');

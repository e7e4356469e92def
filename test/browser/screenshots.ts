/**
 * `npm run screenshots`: writes docs/images/approvals-390.png and approvals-1280.png, from a service with a few
 * proposals.
 */
import { mkdir } from 'node:fs/promises';
import { openBrowser, openTab } from '../support/processes/browser.js';
import { openOrderFixture } from '../support/worlds/orders.js';
import { agentOf, signIn, startForReview } from '../support/worlds/reviewing.js';

const FOLDER = 'docs/images';
const SIZES = [
  { width: 390, height: 844 },
  { width: 1_280, height: 900 },
] as const;

const browser = await openBrowser();
if (!browser) process.exit(1);
const service = await startForReview();
try {
  const agent = await agentOf(service);
  await agent.propose({ only_terminal_tracking_events: true }, 'Fewer calls for the customer portal.');
  await agent.propose({ include_personal_data: true }, 'Recipients ask for names in notifications.');
  const { order_id } = await openOrderFixture(service).order();
  const shown = await agent.propose(
    { order_id, reason: 'Recipient away until Monday' },
    'The recipient wrote that nobody is at home this week. <b>Please approve today!</b>',
    undefined,
    'hold_order',
  );
  await mkdir(FOLDER, { recursive: true });
  for (const viewport of SIZES) {
    const { page } = await openTab(browser, { viewport });
    await signIn(page, service, 'client_admin', `#proposal=${shown}`);
    await page.locator('#reason').waitFor();
    await page.screenshot({ path: `${FOLDER}/approvals-${viewport.width}.png`, fullPage: viewport.width > 1_000 });
  }
} finally {
  await browser.close();
  await service.stop();
}

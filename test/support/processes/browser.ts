/**
 * The headless Chromium of the machine (CHROMIUM_PATH, or Debian's path). Nothing is downloaded; tests that need it are
 * skipped if it is missing.
 */
import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { recordEngine } from '../run-summary.js';
import { WAIT_LIMIT_MS } from '../eventually.js';

const path = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

export const NO_BROWSER = `no Chromium at ${path} (CHROMIUM_PATH)`;

/** Undefined if there is no browser. */
export async function openBrowser(): Promise<Browser | undefined> {
  if (!existsSync(path)) return undefined;
  recordEngine('Chromium', path);
  return chromium.launch({ executablePath: path, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

export interface Tab {
  readonly page: Page;
  /** Errors of the page: in the console, and uncaught exceptions. */
  readonly consoleErrors: string[];
}

/** Opens a tab with a separate session storage. */
export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> {
  const page = await (await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options })).newPage();
  page.setDefaultTimeout(WAIT_LIMIT_MS);
  const consoleErrors: string[] = [];
  page.on(
    'console',
    (message) => void (['error', 'warning'].includes(message.type()) && consoleErrors.push(message.text())),
  );
  page.on('pageerror', (error) => void consoleErrors.push(String(error)));
  page.on('dialog', (dialog) => {
    consoleErrors.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, consoleErrors };
}

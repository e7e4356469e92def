/**
 * Headless Chromium of the machine (CHROMIUM_PATH, or where Debian puts it): nothing is downloaded, and what needs it
 * is skipped without.
 */
import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { usesEngine } from '../remarks.js';
import { WAIT_LIMIT_MS } from '../eventually.js';

const path = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

export const NO_BROWSER = `no Chromium at ${path} (CHROMIUM_PATH)`;

/** Undefined: there is none. */
export async function openBrowser(): Promise<Browser | undefined> {
  if (!existsSync(path)) return undefined;
  usesEngine('Chromium', path);
  return chromium.launch({ executablePath: path, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

export interface Tab {
  readonly page: Page;
  /** What the page complained about: errors in the console, and what was thrown. */
  readonly complaints: string[];
}

/** A tab with a session storage of its own. */
export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> {
  const page = await (await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options })).newPage();
  page.setDefaultTimeout(WAIT_LIMIT_MS);
  const complaints: string[] = [];
  page.on(
    'console',
    (message) => void (['error', 'warning'].includes(message.type()) && complaints.push(message.text())),
  );
  page.on('pageerror', (error) => void complaints.push(String(error)));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, complaints };
}

/** The contracts of EasyPost against its test mode: `EASYPOST_TEST_KEY=EZTK... npm run test:easypost`. */
import { carrierContract } from '../contract/carriers/contract.js';
import { describeEasypost } from '../support/easypost/contract.js';
import { easypostHarness } from '../support/easypost/harness.js';
import { libraryFor } from '../support/easypost/library.js';

const { EASYPOST_TEST_KEY: key = '', EASYPOST_BASE_URL: url = 'https://api.easypost.com' } = process.env;

/** The number of labels that were bought since the start. */
async function labelCount(since: string): Promise<number> {
  const query = new URLSearchParams({ page_size: '100', purchased: 'true', start_datetime: since });
  const { shipments, has_more: hasMore } = (await libraryFor({ url, key }).makeApiCall(
    'get',
    `shipments?${query}`,
  )) as { readonly shipments: readonly unknown[]; readonly has_more: boolean };
  if (hasMore) throw new Error('The account has too many labels to count them.');
  return shipments.length;
}

// Keys of the production mode cost money.
if (/^EZTK\w+$/.test(key)) {
  describeEasypost('EasyPost', () => Promise.resolve({ url, key }));
  const since = new Date().toISOString();
  carrierContract(
    easypostHarness({
      // The real service has no faults on demand.
      faults: [],
      timeoutMs: 30_000,
      open: () =>
        Promise.resolve({
          url,
          key,
          labelCount: () => labelCount(since),
          failNext: () => Promise.resolve(),
          stop: () => Promise.resolve(),
        }),
    }),
  );
} else
  describe('EasyPost as a carrier', () => {
    it.skip('needs EASYPOST_TEST_KEY=EZTK...');
  });

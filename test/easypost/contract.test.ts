/** The contract of EasyPost against its test mode: `EASYPOST_TEST_KEY=EZTK... npm run test:easypost`. */
import { describeEasypost } from '../support/easypost/contract.js';

const { EASYPOST_TEST_KEY: key = '', EASYPOST_BASE_URL: url = 'https://api.easypost.com' } = process.env;

// Keys of the production mode cost money.
if (/^EZTK\w+$/.test(key)) describeEasypost('EasyPost', () => Promise.resolve({ url, key }));
else
  describe('EasyPost as a carrier', () => {
    it.skip('needs EASYPOST_TEST_KEY=EZTK...');
  });

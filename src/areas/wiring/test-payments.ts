/** The test provider within this process. It starts with the first use, so other installations never load it. */
import { join } from 'node:path';
import { makeFolder } from '../../engines/folder.js';
import type { TestProvider } from '../../engines/payments/test-provider/server.js';
import type { TestAccounts } from './payment-accounts.js';

/** The operator's account at the test provider: it moves no money, so its key is no secret. */
const OPERATOR_KEY = 'sk_test_operator';

export interface TestPaymentsOptions {
  readonly dataDir: string;
  /** The address to which the provider sends messages about an account. */
  readonly webhookUrlOf: (token: string) => string;
  readonly operatorToken: string;
}

export type TestPayments = ReturnType<typeof createTestPayments>;

export function createTestPayments({ dataDir, webhookUrlOf, operatorToken }: TestPaymentsOptions) {
  let starting: Promise<TestProvider> | undefined;
  const provider = (): Promise<TestProvider> => (starting ??= start());

  async function start(): Promise<TestProvider> {
    const folder = join(dataDir, 'payments');
    await makeFolder(folder);
    const { startTestProvider } = await import('../../engines/payments/test-provider/server.js');
    return startTestProvider({ file: join(folder, 'test-provider.jsonl') });
  }

  const accounts: TestAccounts = {
    baseUrl: async () => (await provider()).url,
    async operatorKeys() {
      const webhookSecret = (await provider()).addEndpoint(OPERATOR_KEY, webhookUrlOf(operatorToken));
      return { secretKey: OPERATOR_KEY, webhookSecret };
    },
  };
  return {
    accounts,
    /** Sends the messages of a business's account to the service. */
    async addEndpoint(secretKey: string, token: string, webhookSecret: string): Promise<void> {
      (await provider()).addEndpoint(secretKey, webhookUrlOf(token), webhookSecret);
    },
    close: async (): Promise<void> => (await starting)?.stop(),
  };
}

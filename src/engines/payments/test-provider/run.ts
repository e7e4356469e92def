/**
 * The test provider as a separate process, for a service with several processes. Arguments: folder of its state, port
 * (default: 4242). Set PAYMENTS_BASE_URL of the service to the printed address.
 */
import { join } from 'node:path';
import { makeFolder } from '../../folder.js';
import { startTestProvider } from './server.js';

const [, , folder = './.data/payments', port = '4242'] = process.argv;
await makeFolder(folder);
const provider = await startTestProvider({ file: join(folder, 'test-provider.jsonl'), port: Number(port) });
process.once('SIGTERM', () => void provider.stop().then(() => process.exit(0)));
process.stdout.write(`ready ${provider.url}\n`);

/** No credential, label or message is stored in plaintext: data directory, backup and logs of a complete service. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Demo } from '../../src/compose/demo/demo.js';
import { call } from '../support/clients/http.js';
import { signatureOf, tokenOf } from '../support/double/area.js';
import { startRemote, type Remote } from '../support/double/start-remote.js';
import { runCliProcess } from '../support/processes/cli.js';
import { BRIEF_LEASES, endServiceProcesses, startServiceProcess } from '../support/processes/service-process.js';

const SCRIPT = fileURLToPath(new URL('../support/processes/serve-double.js', import.meta.url));
const CREDENTIAL = 'sk_live_PlaintextCredential4711';
const MESSAGE = 'plaintext message of the double';
const NOTE = 'Plaintext Note For Ada';
/** As in the response of the double. */
const LABEL = 'plaintext label of';

describe('the storage of effects', () => {
  let remote: Remote;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transport-effects-plaintext-'));
    remote = await startRemote(join(folder, 'state'));
  });
  after(async () => {
    await endServiceProcesses();
    await remote?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function filesBelow(path: string): Promise<string[]> {
    const entries = await readdir(path, { withFileTypes: true, recursive: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  }
  /** The texts that a file contains, also in the notation of bytes in dumps. */
  async function found(path: string): Promise<string[]> {
    const bytes = await readFile(path);
    return [CREDENTIAL, MESSAGE, NOTE, LABEL].filter(
      (text) =>
        bytes.includes(text) ||
        bytes.includes(Buffer.from(text).toString('hex')) ||
        bytes.includes(Buffer.from(text).toString('base64').slice(0, -4)),
    );
  }

  it('effects 4: has no credential, label or message in plaintext: data directory, backup, logs', async () => {
    const dataDir = join(folder, 'data');
    const service = await startServiceProcess({
      dataDir,
      env: { ...BRIEF_LEASES, LOG_LEVEL: 'debug' },
      script: [SCRIPT, remote.url, folder],
    });
    const demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as Demo;
    const { email, password } = demo.users.client_admin;
    const api = `${service.url}/api/v1`;
    const { json: session } = await call(`${api}/user/login`, { body: { email, password } });
    const key = session.access_token as string;
    const headers = { 'idempotency-key': 'credential-1' };
    const credential = await call(`${api}/doubles/credentials/${randomUUID()}`, {
      key,
      method: 'PUT',
      headers,
      body: { secret: CREDENTIAL },
    });
    expect(credential.json.credential).to.deep.equal({ set: true, last4: '4711' });
    for (const [adapter, fault] of [['double_object'], ['double_key', 'reset'], ['double_none', 'broken']])
      await call(`${api}/doubles/${randomUUID()}`, {
        key,
        headers: { 'idempotency-key': `order-${adapter}` },
        body: { adapter, note: NOTE, ...(fault && { fault }) },
      });
    const message = await call(`${api}/inbound/double/${tokenOf(1)}`, {
      body: MESSAGE,
      headers: { 'x-signature': signatureOf(MESSAGE), 'x-message-id': 'm1' },
    });
    expect(message.status).to.equal(200);
    expect((await remote.actions()).length).to.be.at.least(3);

    const backup = join(folder, 'backup');
    const { code, stderr } = await runCliProcess('backup', ['create', backup], { DATA_DIR: dataDir });
    expect(code, stderr).to.equal(0);
    const output = service.output();
    await service.end('SIGTERM');

    expect([CREDENTIAL, MESSAGE, NOTE, LABEL].filter((text) => output.includes(text))).to.deep.equal([]);
    const files = [...(await filesBelow(dataDir)), ...(await filesBelow(backup))];
    expect(files.length).to.be.above(100);
    for (const file of files) expect(await found(file), file).to.deep.equal([]);
  });
});

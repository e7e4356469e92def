import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { seedDemo } from '../../../src/compose/demo/demo.js';
import { expectFreePort, startupHintOf } from '../../../src/compose/startup-hints.js';
import { welcome } from '../../../src/compose/welcome.js';
import { readConfig } from '../../../src/config.js';
import { makeDataFolder } from '../../../src/engines/data-folder.js';
import { StartupError } from '../../../src/engines/startup-error.js';
import { skip } from '../../support/run-summary.js';

describe('startup messages', () => {
  it('port in use: which one, and how to choose another', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const place = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
    const error = await expectFreePort(place).then(
      () => undefined,
      (refusal: unknown) => refusal,
    );
    expect(startupHintOf(error, place)).to.equal(
      `Port ${place.port} on 127.0.0.1 is in use by another process. Start with another port: PORT=${place.port + 1} npm start`,
    );
    server.close();
    await once(server, 'close');
    await expectFreePort(place);
  });

  it('a rejection by the service: unchanged, without a stack', () => {
    const place = { host: '127.0.0.1', port: 8080 };
    expect(startupHintOf(new StartupError('Do this.'), place)).to.equal('Do this.');
    expect(startupHintOf(new TypeError('x is undefined'), place)).to.equal(undefined);
  });

  it('a folder that cannot be created: the name of its variable, and the reason', async function () {
    if (process.platform !== 'linux') skip(this, 'not on Linux');
    for (const [folder, why] of [
      ['/proc/nowhere', 'the folder above does not allow it'],
      ['/dev/null/x', 'is below a file'],
      ['/etc/passwd', 'is a file'],
    ] as const) {
      const error = await makeDataFolder(folder).catch((refusal: unknown) => refusal);
      expect(error).to.be.instanceOf(StartupError);
      expect(startupHintOf(error, { host: '127.0.0.1', port: 8080 }))
        .to.match(/^DATA_DIR: .*Set DATA_DIR to/)
        .and.include(`${folder} `)
        .and.include(why);
    }
  });

  it('a demo file with invalid JSON: the file, and what to do', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'demo-'));
    await writeFile(join(folder, 'demo.json'), '{');
    const error = await seedDemo({} as Parameters<typeof seedDemo>[0], folder).catch((refusal: unknown) => refusal);
    expect(startupHintOf(error, { host: '127.0.0.1', port: 8080 })).to.match(
      /demo\.json is not valid JSON\. Repair it/,
    );
    await rm(folder, { recursive: true });
  });

  it('a text with a format: a description of the format', () => {
    for (const [name, value] of [
      ['KAFKA_TOPIC_PREFIX', 'a b'],
      ['KAFKA_INGEST', 'UP er'],
    ] as const)
      expect(() => readConfig({ [name]: value })).to.throw(new RegExp(`^${name}: must be [^/]*\\.$`));
  });

  it('an invalid value: the allowed values, once per variable, and never the value itself', () => {
    const wrong = {
      PORT: 'secret',
      ROLES: 'api,secret',
      DATABASE_URL: 'secret',
      KAFKA_SSL: 'secret',
      RATE_LIMIT_READ: '0',
    };
    expect(() => readConfig(wrong)).to.throw(
      [
        'PORT: must be a whole number from 0 to 65535.',
        'DATABASE_URL: must be an address like postgres://user:password@host:5432/name.',
        'RATE_LIMIT_READ: must be a whole number from 1 to 1000000000.',
        'ROLES: must be one of api, projector, relay, worker.',
        'KAFKA_SSL: must be true or false.',
      ].join('\n'),
    );
  });

  it('the address and the account without a password; nothing if no requests are served', () => {
    const demo = {
      users: { client_admin: { id: 1, email: 'client.admin@demo.example', password: 'not shown' } },
      trackings: ['DEMO0000001'],
    } as unknown as Parameters<typeof welcome>[2];
    const welcomeText = welcome(readConfig({}), 'http://here', demo);
    expect(welcomeText)
      .to.include('http://here/api/docs')
      .and.include('client.admin@demo.example')
      .and.include('.data/demo.json');
    expect(welcomeText).to.not.include('not shown');
    expect(welcome(readConfig({ NODE_ENV: 'production' }), 'http://here', undefined)).to.not.include('graphql');
    expect(welcome(readConfig({ ROLES: 'projector' }), 'http://here', demo)).to.equal('');
  });
});

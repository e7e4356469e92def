/**
 * Clients that generators create from the served descriptions. Each compiles in strict mode and runs a story against a
 * running service. The OpenAPI document also passes two common linters.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { startTestService, type TestService } from '../support/worlds/service.js';
import { signIns } from '../support/worlds/users.js';
import { openWorkshop, type Workshop } from './workshop.js';

/** The result of each story: the order that it creates and puts on hold. */
const SEEN = { status: 'HOLD', name: 'Ada Lovelace', listed: 1 };

/** A document with an operation without responses. */
const BROKEN = {
  openapi: '3.1.0',
  info: { title: 'Broken', version: '1' },
  servers: [{ url: 'https://api.open-transport.test' }],
  paths: { '/orders': { get: { operationId: 'orders', responses: {} } } },
};

describe('generated clients', () => {
  let t: TestService;
  let shop: Workshop;
  before(async () => {
    [t, shop] = await Promise.all([startTestService(), openWorkshop()]);
    await writeFile(join(shop.folder, 'openapi.json'), await (await fetch(`${t.url}/api/openapi.json`)).text());
    // The fixture equals the schema that the service serves: test/unit/core/graphql-schema.test.ts.
    await writeFile(join(shop.folder, 'schema.graphql'), await readFile('docs/schema.graphql'));
  });
  after(() => t?.stop());

  it('compile in strict mode, and reject an unknown member', async () => {
    await Promise.all([
      shop.run('openapi-typescript', 'openapi.json', '--output', 'stories/api.ts'),
      shop.run('graphql-codegen', '--config', 'codegen.yaml'),
    ]);
    await shop.run('tsc', '--project', 'stories');
  });

  it('REST: types by openapi-typescript, requests by openapi-fetch', async () => {
    const { email, password } = t.demo.users.client_admin;
    const seen = await shop.run('node', 'stories/out/rest.js', t.url, email, password);
    expect(JSON.parse(seen)).to.deep.equal({
      ...SEEN,
      timeline: 200,
      missing: [404, 'TRACKING_NOT_FOUND'],
      wrong: '/order_id',
    });
  });

  it('GraphQL: documents with types by GraphQL Code Generator', async () => {
    const token = await signIns(t)('client_admin');
    const seen = await shop.run('node', 'stories/out/graphql.js', t.url, token);
    expect(JSON.parse(seen)).to.deep.equal({ ...SEEN, timeline: 'object', missing: 'TRACKING_NOT_FOUND' });
  });

  it('pass the linters Redocly and Spectral, which find errors in a broken document', async () => {
    await writeFile(join(shop.folder, 'broken.json'), JSON.stringify(BROKEN));
    const documents = ['lint', 'openapi.json', 'broken.json'];
    // Both end with an error because the broken document has errors.
    const printed = (error: Error) => (error.cause as { stdout: string }).stdout;
    const [redocly, spectral] = await Promise.all([
      shop.run('redocly', ...documents, '--config', 'redocly.yaml', '--format', 'checkstyle').catch(printed),
      shop.run('spectral', ...documents, '--ruleset', 'spectral.yaml', '--format', 'json').catch(printed),
    ]);
    const byRedocly = redocly
      .split('<file name="')
      .slice(1)
      .map((file) => file.split('"')[0]!);
    expect(byRedocly, redocly).to.deep.equal(['broken.json']);
    const bySpectral = (JSON.parse(spectral) as { source: string }[]).map(({ source }) => basename(source));
    expect([...new Set(bySpectral)], spectral).to.deep.equal(['broken.json']);
  });
});

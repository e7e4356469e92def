/**
 * A Java client by OpenAPI Generator, compiled by Maven, runs the story of the other clients. It takes a minute of CPU
 * time, so it runs only at full depth.
 */
import { spawnSync } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { skip } from '../support/run-summary.js';
import { startTestService, type TestService } from '../support/worlds/service.js';
import { runIn } from './workshop.js';

const GENERATOR = 'org.openapitools:openapi-generator-cli:7.25.0';
const FOLDER = resolve('node_modules/.cache/test-clients-java');
/** `apache-httpclient`: the other libraries for Java cannot express that a timeline has one of several formats. */
const OPTIONS = [
  ...['--generator-name', 'java', '--library', 'apache-httpclient'],
  // A list that is not set is not sent. An empty list would have another meaning.
  ...['--additional-properties', 'containerDefaultToNull=true'],
];
const NO_TESTS = 'skipFormModel=false,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';

const has = (program: string): boolean => spawnSync(program, ['-version']).status === 0;

describe('a generated client in Java', () => {
  let t: TestService | undefined;
  before(async function () {
    if (process.env['VERIFY'] !== '1') skip(this, 'Java clients are generated at full depth only (VERIFY=1)');
    if (!has('java') || !has('mvn')) skip(this, 'there is no Java with Maven');
    t = await startTestService();
  });
  after(() => t?.stop());

  it('compiles, and creates, holds and reads an order', async () => {
    const client = join(FOLDER, 'client');
    await rm(client, { recursive: true, force: true });
    await mkdir(client, { recursive: true });
    await writeFile(join(FOLDER, 'openapi.json'), await (await fetch(`${t!.url}/api/openapi.json`)).text());
    const run = runIn(FOLDER);
    const [, name, version] = GENERATOR.split(':');
    await run('mvn', '-q', '-B', 'dependency:copy', `-Dartifact=${GENERATOR}`, `-DoutputDirectory=${FOLDER}`);
    const input = ['--input-spec', 'openapi.json', '--output', 'client'];
    await run(
      'java',
      '-jar',
      `${name}-${version}.jar`,
      'generate',
      ...input,
      ...OPTIONS,
      '--global-property',
      NO_TESTS,
    );
    await cp('test/clients/java/Story.java', join(client, 'src/main/java/Story.java'));
    const { email, password } = t!.demo.users.client_admin;
    const story = ['-Dexec.mainClass=Story', `-Dexec.args=${t!.url} ${email} ${password}`];
    const printed = await runIn(client)('mvn', '-q', '-B', '-DskipTests', 'compile', 'exec:java', ...story);
    expect(printed).to.contain('HOLD; Ada Lovelace; timeline; 404 TRACKING_NOT_FOUND\n');
  });
});

/**
 * The samples of docs/webhooks.md verify the service's signatures (field-tracking F7): the code blocks of the page run
 * unchanged. Python and PHP are skipped if they are not installed.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { webhookGuide } from '../../src/api/areas/agents/guides/webhooks.js';
import { isSecret, signatureHeaders } from '../../src/webhooks/signature.js';
import { skip } from '../support/run-summary.js';

const PAGE = readFileSync('docs/webhooks.md', 'utf8');
const BODY = '{"type":"order.created","name":"Zoë 東京"}';
const ID = '0d9d6b5e-7a0e-5d52-9f0f-3f0f3c1f7c11';
const TEXT = 'a-secret-of-16-or-more';
const CODED = `whsec_${Buffer.from('0123456789abcdefghijklmn').toString('base64')}`;
/** Base64 of 25 bytes, with padding and with the characters `+` and `/`. */
const PADDED = `whsec_${Buffer.from([...Array(25).keys()].map((n) => 255 - n * 5)).toString('base64')}`;
const UNPADDED = PADDED.replace(/=+$/, '');
const SECRETS = [TEXT, CODED, PADDED, UNPADDED];

interface Case {
  readonly title: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string;
  readonly valid: boolean;
}

const signed = (secrets: readonly string[], at = Date.now()) => ({
  ...signatureHeaders(
    ID,
    at,
    Buffer.from(BODY),
    secrets.map((secret) => ({ secret })),
  ),
});

function cases(): Case[] {
  return SECRETS.flatMap((secret) => {
    const headers = signed([secret]);
    const { 'webhook-signature': signature, ...unsigned } = headers;
    const of = (title: string, valid: boolean, more: Partial<Case> = {}): Case => ({
      title: `${title}, secret ${secret}`,
      body: BODY,
      headers,
      secret,
      valid,
      ...more,
    });
    return [
      of('one signature', true),
      of('first of two signatures', true, { headers: signed([secret, 'the-previous-secret']) }),
      of('second of two signatures', true, { headers: signed(['the-next-secret-of-all', secret]) }),
      of('other body', false, { body: BODY.replace('Zoë', 'Zoe') }),
      of('other secret', false, { secret: 'another-secret-of-16' }),
      of('other secret in base64', false, { secret: `whsec_${Buffer.from('another-secret-16').toString('base64')}` }),
      of('signatures of two other secrets', false, { headers: signed(['the-next-secret-of-all', 'the-previous-one']) }),
      of('other version', false, { headers: { ...headers, 'webhook-signature': signature!.replace('v1,', 'v2,') } }),
      of('other id', false, { headers: { ...headers, 'webhook-id': 'another' } }),
      of('no signature', false, { headers: unsigned as Case['headers'] }),
      of('empty signature', false, { headers: { ...headers, 'webhook-signature': 'v1,' } }),
      of('too old', false, { headers: signed([secret], Date.now() - 310_000) }),
      of('too new', false, { headers: signed([secret], Date.now() + 310_000) }),
      of('no time', false, { headers: { ...headers, 'webhook-timestamp': 'soon' } }),
    ];
  });
}

/** The code block that follows a language's name. */
function sampleOf(title: string, language: string): string {
  const block = new RegExp(`^${title}:\\n\\n\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(PAGE)?.[1];
  if (block === undefined) throw new Error(`docs/webhooks.md has no sample for ${title}.`);
  return block;
}

/** Programs that read the cases as JSON from stdin and print a list of booleans. */
const RUNNERS = {
  'Node.js': {
    language: 'js',
    command: process.execPath,
    file: 'sample.mjs',
    program: (sample: string) =>
      `${sample}\nimport { readFileSync } from 'node:fs';\nconst cases = JSON.parse(readFileSync(0, 'utf8'));\n` +
      'console.log(JSON.stringify(cases.map(({ body, headers, secret }) => verify(Buffer.from(body), headers, secret))));',
  },
  Python: {
    language: 'python',
    command: 'python3',
    file: 'sample.py',
    program: (sample: string) =>
      `${sample}\nimport json, sys\ncases = json.loads(sys.stdin.buffer.read())\n` +
      'print(json.dumps([verify(c["body"].encode(), c["headers"], c["secret"]) for c in cases]))',
  },
  PHP: {
    language: 'php',
    command: process.env['PHP'] ?? 'php',
    file: 'sample.php',
    program: (sample: string) =>
      `<?php\n${sample}\n$cases = json_decode(stream_get_contents(STDIN), true);\n` +
      "echo json_encode(array_map(fn ($c) => verify($c['body'], $c['headers'], $c['secret']), $cases));",
  },
} as const;

const isInstalled = (command: string): boolean => spawnSync(command, ['--version']).status === 0;

describe('samples of docs/webhooks.md (field-tracking F7)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'webhook-samples-'));
  after(() => rmSync(folder, { recursive: true }));

  for (const [title, { language, command, file, program }] of Object.entries(RUNNERS))
    it(`${title} accepts signatures of the service, and no others`, function () {
      if (!isInstalled(command)) skip(this, `${title} is not installed (sample of docs/webhooks.md)`);
      const path = join(folder, file);
      writeFileSync(path, program(sampleOf(title, language)));
      const all = cases();
      const output = execFileSync(command, [path], { input: JSON.stringify(all), encoding: 'utf8' });
      const results = JSON.parse(output) as boolean[];
      expect(all.map(({ title: name }, index) => [name, results[index]])).to.deep.equal(
        all.map(({ title: name, valid }) => [name, valid]),
      );
    });

  it('the sample of the guide for agents does the same', async () => {
    const sample = /^```js\n([\s\S]*?)^```$/m.exec(webhookGuide({ baseUrl: 'https://transport.example' }))![1]!;
    const { isGenuine } = (await import(`data:text/javascript,${encodeURIComponent(sample)}`)) as {
      isGenuine: (secret: string, headers: object, body: Buffer) => boolean;
    };
    for (const { title, body, headers, secret, valid } of cases())
      expect(isGenuine(secret, headers, Buffer.from(body)), title).to.equal(valid);
  });

  it('the library verifies the same signatures', () => {
    for (const secret of [TEXT, CODED, PADDED]) {
      const library = secret === TEXT ? new Webhook(secret, { format: 'raw' }) : new Webhook(secret);
      for (const headers of [signed([secret]), signed(['the-next-secret-of-all', secret])])
        expect(library.verify(BODY, headers), secret).to.deep.equal(JSON.parse(BODY));
      expect(() => library.verify(BODY, signed(['another-secret-of-16'])), secret).to.throw();
    }
  });

  it('a secret that no library can decode is refused', () => {
    expect(SECRETS.map(isSecret)).to.deep.equal([true, true, true, true]);
    expect(isSecret('whsec_AAAAAAAAAAAAAAAAAAAAAAAAA')).to.equal(false);
  });
});

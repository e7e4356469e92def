/** The examples in the documentation of webhooks equal the requests that are sent, and its recipes verify these. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { WEBHOOK_KINDS } from '../../src/events/webhooks/events.js';
import { exampleBody } from '../../src/webhooks/examples.js';
import { KINDS } from '../../src/webhooks/kinds.js';
import { signatureHeaders } from '../../src/webhooks/signature.js';
import { SECRET } from '../support/worlds/webhooks.js';
import { skip } from '../support/run-summary.js';

const text = readFileSync('docs/webhooks.md', 'utf8');
const block = (language: string, from = 0) => {
  const start = text.indexOf(`\`\`\`${language}\n`, from) + language.length + 4;
  return text.slice(start, text.indexOf('\n```', start));
};
const BODY = Buffer.from('{"type":"tracking.event","data":{"city":"Köln"}}');
const headers = (secrets: readonly string[]) =>
  signatureHeaders(
    'an-id',
    Date.now(),
    BODY,
    secrets.map((secret) => ({ secret })),
  );

describe('documentation of webhooks', () => {
  for (const kind of WEBHOOK_KINDS) {
    it(`shows ${kind} as it is sent`, () => {
      const heading = `### ${KINDS[kind].type}`;
      const place = `docs/webhooks.md, the example below "${heading}" and the table of settings`;
      expect(text, place).to.include(`${heading}\n`);
      const shown: unknown = JSON.parse(block('json', text.indexOf(`${heading}\n`)));
      expect(JSON.parse(exampleBody(kind, new Date('2026-01-05T09:30:00Z')).bytes.toString()), place).to.deep.equal(
        shown,
      );
      expect(text, place).to.contain(`\`${kind}_webhook_url\``);
    });
  }

  it('has a recipe that verifies in Node.js', async () => {
    const { verify } = (await import(`data:text/javascript,${encodeURIComponent(block('js'))}`)) as {
      verify: (body: Buffer, headers: object, secret: string) => boolean;
    };
    expect(verify(BODY, headers([SECRET]), SECRET)).to.equal(true);
    expect(verify(BODY, headers(['the-next-secret-1', SECRET]), SECRET)).to.equal(true);
    expect(verify(BODY, headers(['the-next-secret-1']), SECRET)).to.equal(false);
    expect(verify(BODY, signatureHeaders('an-id', Date.now() - 600_000, BODY, [{ secret: SECRET }]), SECRET)).to.equal(
      false,
    );
  });

  it('has a recipe that verifies in Python', function () {
    if (spawnSync('python3', ['--version']).status !== 0) return skip(this, 'no python3');
    for (const [secrets, good] of [
      [[SECRET], 'True'],
      [['the-next-secret-1', SECRET], 'True'],
      [['the-next-secret-1'], 'False'],
    ] as const) {
      const script = `${block('python')}\nimport json, sys\nprint(verify(${JSON.stringify(BODY.toString())}.encode(), json.loads(sys.argv[1]), sys.argv[2]))`;
      const { stdout, stderr } = spawnSync('python3', ['-c', script, JSON.stringify(headers(secrets)), SECRET], {
        encoding: 'utf8',
      });
      expect(stdout.trim(), stderr).to.equal(good);
    }
  });
});

/** The examples in the documentation of webhooks equal the requests that are sent. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { WEBHOOK_KINDS } from '../../src/events/webhooks/events.js';
import { exampleBody } from '../../src/webhooks/examples.js';
import { KINDS } from '../../src/webhooks/kinds.js';

const text = readFileSync('docs/webhooks.md', 'utf8');
const block = (language: string, from = 0) => {
  const start = text.indexOf(`\`\`\`${language}\n`, from) + language.length + 4;
  return text.slice(start, text.indexOf('\n```', start));
};

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
});

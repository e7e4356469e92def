import { expect } from 'chai';
import { createLogger } from '../../../src/logging/logger.js';
import { scrub } from '../../../src/logging/scrub.js';

const KEY = `otp_${'Ab1-_'.repeat(9).slice(0, 43)}`;
const TOKEN = `ott_${'Cd2_-'.repeat(9).slice(0, 43)}`;

function logged(write: (logger: ReturnType<typeof createLogger>) => void): {
  readonly text: string;
  readonly line: Record<string, unknown>;
} {
  const lines: string[] = [];
  write(createLogger('trace', { write: (line: string) => void lines.push(line) }));
  expect(lines).to.have.length(1);
  return { text: lines[0]!, line: JSON.parse(lines[0]!) as Record<string, unknown> };
}

describe('the log', () => {
  it('redacts secrets anywhere in a line', () => {
    const { text } = logged((logger) =>
      logger.info(
        {
          header: `Bearer ${KEY}`,
          headers: { authorization: `Bearer abc.def`, cookie: 'a=b' },
          body: JSON.stringify({ password: 'hush "quoted"', nested: { api_key: 'hush', 'x-auth-token': 'hush' } }),
          url: 'postgres://transport:hush@db:5432/transport',
          cluster: 'esdb+discover://admin:hush@a:2113,b:2113',
          Basic: 'Basic aHVzaDpodXNo',
        },
        `key ${KEY}, token ${TOKEN}`,
      ),
    );
    for (const secret of [KEY, TOKEN, 'abc.def', 'a=b', 'hush', 'aHVzaDpodXNo']) expect(text).to.not.include(secret);
    expect(text)
      .to.include('postgres://transport:[secret]@db:5432')
      .and.include('esdb+discover://admin:[secret]@a:2113');
  });

  it('leaves everything else unchanged', () => {
    const line = JSON.stringify({
      level: 30,
      requestId: '0b8e7f7c-0c7f-4b7c-9d3e-111111111111',
      route: '/api/v1/otep/trackings/:number',
      url: 'http://localhost:8080/',
      tokens: 3,
      key: 'once',
      msg: 'the "token" is gone',
    });
    expect(scrub(line)).to.equal(line);
  });

  it('reports the kind and place of an error, and not the text that it quotes', () => {
    const error = Object.assign(new Error('invalid input syntax for type uuid: "Ottilie"'), {
      code: '22P02',
      severity: 'ERROR',
      detail: 'Failing row contains (Ottilie)',
      where: 'Ottilie',
      parameters: ['Ottilie'],
      table: 'events',
    });
    const { text, line } = logged((logger) => logger.error({ err: new Error('outer', { cause: error }) }, 'failed'));
    expect(text).to.not.include('Ottilie');
    expect(line['err']).to.deep.include({ type: 'Error', message: 'outer' });
    expect((line['err'] as { causes: object[] }).causes[0]).to.include({
      code: '22P02',
      severity: 'ERROR',
      table: 'events',
      message: 'invalid input syntax for type uuid: "…"',
    });
    expect((line['err'] as { stack: string }).stack).to.match(/^ +at /);
  });

  it('does not quote input that could not be parsed', () => {
    const { text } = logged((logger) => {
      try {
        JSON.parse('Ottilie');
      } catch (err) {
        logger.error({ err });
      }
    });
    expect(text).to.include('is not valid JSON').and.not.include('Ottilie');
  });

  it('keeps the names of constraints and files', () => {
    const { line } = logged((logger) =>
      logger.error({
        err: Object.assign(new Error('duplicate key value violates unique constraint "events_id_key"'), {
          code: '23505',
          constraint: 'events_id_key',
        }),
      }),
    );
    expect(line['err']).to.include({
      message: 'duplicate key value violates unique constraint "events_id_key"',
      constraint: 'events_id_key',
    });
  });

  it('accepts values that are not errors, and circular causes', () => {
    expect(logged((logger) => logger.error({ err: 'Ottilie' })).text).to.not.include('Ottilie');
    expect(logged((logger) => logger.error(new SyntaxError('what is "Ottilie"?'))).text)
      .to.include('SyntaxError')
      .and.not.include('Ottilie');
    const circle = new Error('a');
    circle.cause = circle;
    expect(logged((logger) => logger.error({ err: circle })).text.length).to.be.below(20_000);
    expect(
      logged((logger) => logger.error({ err: new AggregateError([new Error('one'), new Error('two')], 'both') })).text,
    ).to.include('two');
  });
});

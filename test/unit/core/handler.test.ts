import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { z } from 'zod';
import type { Decider } from '../../../src/commands/core/decider.js';
import { DomainError } from '../../../src/commands/core/domain-error.js';
import { createHandler } from '../../../src/commands/core/handler.js';
import type { Cause } from '../../../src/commands/core/handle.js';
import { eventTypes, type KeyRing } from '../../../src/events/core/codec.js';
import { eventType } from '../../../src/events/core/event-types.js';
import { derivedId } from '../../../src/events/otep/identity.js';
import { createMemoryLog, type MemoryLog } from '../../support/fakes/memory-log.js';

const Added = eventType('Added', z.object({ word: z.string() }));

/** A list of words, each added once; the word `bad` is rejected. */
const words: Decider<{ readonly known: Set<string> }, string, { readonly added: boolean; readonly before: number }> = {
  initial: () => ({ known: new Set() }),
  decide({ known }, word) {
    if (word === 'bad') throw new DomainError('CONFLICT');
    const facts = known.has(word) ? [] : [{ id: derivedId(word), type: Added as never, data: { word } }];
    return { facts, reply: { added: facts.length > 0, before: known.size } };
  },
  evolve(state, { data }) {
    state.known.add(data['word'] as string);
    return state;
  },
};

const CAUSE: Cause = { correlationId: 'c1', actor: { kind: 'system', id: 'test' }, channel: 'system' };
const keyRing: KeyRing = {
  keysFor: () => Promise.reject(new Error('Nothing is personal here.')),
  existing: () => Promise.resolve(new Map()),
};
const handlerOver = (log: MemoryLog) =>
  createHandler({ decider: words, types: eventTypes([Added as never]), log, keyRing, now: () => 0 });
const wordsIn = (log: MemoryLog) => (log.streams.get('s') ?? []).map(({ data }) => data['word']);

describe('command handler', () => {
  let log: MemoryLog;
  beforeEach(() => void (log = createMemoryLog()));

  it('treats an unknown stream as new: one round trip', async () => {
    const handle = handlerOver(log);
    expect(await handle('s', 'a', CAUSE)).to.deep.equal({
      reply: { added: true, before: 0 },
      changed: true,
      position: '000001',
    });
    expect(log.calls).to.deep.equal({ appends: 1, reads: 0 });
    expect(log.streams.get('s')![0]!.metadata).to.deep.equal({
      $correlationId: 'c1',
      recorded_at: '1970-01-01T00:00:00.000Z',
      actor: { kind: 'system', id: 'test', channel: 'system' },
    });
  });

  it('reads the stream for a command that never begins one', async () => {
    const decidedOn: number[] = [];
    const decider = {
      ...words,
      begins: (word: string) => word !== 'b',
      decide: (state: { readonly known: Set<string> }, word: string) => (
        decidedOn.push(state.known.size),
        words.decide(state, word)
      ),
    };
    const fresh = () => createHandler({ decider, types: eventTypes([Added as never]), log, keyRing, now: () => 0 });
    await fresh()('s', 'a', CAUSE);
    expect((await fresh()('s', 'b', CAUSE)).reply).to.deep.equal({ added: true, before: 1 });
    expect((await fresh()('t', 'b', CAUSE)).reply).to.deep.equal({ added: true, before: 0 });
    expect(decidedOn).to.deep.equal([0, 1, 0]);
    expect(log.calls).to.deep.equal({ appends: 3, reads: 2 });
  });

  it('detects that the stream was not new, and decides again', async () => {
    await handlerOver(log)('s', 'a', CAUSE);
    expect((await handlerOver(log)('s', 'b', CAUSE)).reply).to.deep.equal({ added: true, before: 1 });
    expect(wordsIn(log)).to.deep.equal(['a', 'b']);
  });

  it('reads the stream before it reports no change or a rejection', async () => {
    await handlerOver(log)('s', 'a', CAUSE);
    expect((await handlerOver(log)('s', 'a', CAUSE)).reply).to.deep.equal({ added: false, before: 1 });
    const refusal = await handlerOver(log)('s', 'bad', CAUSE).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(DomainError);
    expect(log.calls.reads).to.be.at.least(2);
  });

  it('rejects a change with another version than that of the stream, whatever this process remembers', async () => {
    const [one, two] = [handlerOver(log), handlerOver(log)];
    const at = (version: number, stream = 's'): Cause => ({
      ...CAUSE,
      expected: { stream, version, code: 'CONFLICT' },
    });
    const refusal = async (handled: Promise<unknown>) =>
      handled.then(
        () => undefined,
        (error: DomainError) => error.params,
      );
    await one('s', 'a', CAUSE);
    await two('s', 'b', CAUSE);
    // This process knows only version 0.
    expect(await refusal(one('s', 'c', at(0)))).to.deep.equal({ version: 1 });
    expect(await refusal(one('s', 'c', at(1)))).to.equal(undefined);
    expect(await refusal(two('s', 'd', at(1)))).to.deep.equal({ version: 2 });
    expect(await refusal(two('s', 'c', at(1))), 'done already').to.equal(undefined);
    expect(await refusal(two('s', 'd', at(7, 'other'))), 'another stream').to.equal(undefined);
    expect(await Promise.all(['e', 'f'].map((word) => refusal(one('s', word, at(3)))))).to.deep.equal([
      undefined,
      { version: 4 },
    ]);
    expect(wordsIn(log)).to.deep.equal(['a', 'b', 'c', 'd', 'e']);
  });

  it('compares the version only for the first command of a request', async () => {
    const handle = handlerOver(log);
    await handle('s', 'a', CAUSE);
    const request: Cause = { ...CAUSE, expected: { stream: 's', version: 0, code: 'CONFLICT' } };
    await Promise.all(['b', 'c'].map((word) => handle('s', word, request)));
    await handle('s', 'd', request);
    expect(wordsIn(log)).to.deep.equal(['a', 'b', 'c', 'd']);
    const late: Cause = { ...CAUSE, expected: { stream: 's', version: 0, code: 'CONFLICT' } };
    const codes = await Promise.all(
      ['e', 'f'].map((word) => handle('s', word, late).catch(({ code }) => code as string)),
    );
    expect(codes).to.deep.equal(['CONFLICT', 'CONFLICT']);
  });

  it('compares the version of a part of the stream, if the decider defines parts', async () => {
    const decider = {
      ...words,
      partOf: ({ data }: { data: Record<string, unknown> }) => String(data['word']).slice(0, 1),
    };
    const handlers = [1, 2].map(() =>
      createHandler({ decider, types: eventTypes([Added as never]), log, keyRing, now: () => 0 }),
    );
    const [one, two] = handlers as [(typeof handlers)[0], (typeof handlers)[0]];
    const of = (part: string, version: number): Cause => ({
      ...CAUSE,
      expected: { stream: 's', part, version, code: 'CONFLICT' },
    });
    const versionAfter = async (handled: Promise<unknown>) =>
      handled.then(
        () => undefined,
        (error: DomainError) => error.params['version'],
      );
    await one('s', 'a1', of('a', -1));
    await two('s', 'b1', of('b', -1));
    expect(await versionAfter(one('s', 'a2', of('a', 0))), 'the other part was changed alone').to.equal(undefined);
    expect(await versionAfter(two('s', 'a3', of('a', 0)))).to.equal(2);
    expect(await versionAfter(two('s', 'b2', of('b', -1)))).to.equal(1);
    expect(wordsIn(log)).to.deep.equal(['a1', 'b1', 'a2']);
  });

  it('detects a command that another process has just executed', async () => {
    const [one, two] = [handlerOver(log), handlerOver(log)];
    await one('s', 'a', CAUSE);
    await two('s', 'b', CAUSE);
    // The log alone would take this append for a retry (same event ids, same revision), and it would be reported as
    // new.
    expect(await one('s', 'b', CAUSE)).to.deep.equal({
      reply: { added: false, before: 2 },
      changed: false,
      position: '000002',
    });
    expect(wordsIn(log)).to.deep.equal(['a', 'b']);
  });

  it('decides correctly if another writer is always first', async () => {
    const [one, two] = [handlerOver(log), handlerOver(log)];
    await one('s', 'a', CAUSE);
    for (let turn = 0; turn < 10; turn++) {
      log.interrupt(() => two('s', `two-${turn}`, CAUSE));
      expect((await one('s', `one-${turn}`, CAUSE)).reply).to.deep.equal({ added: true, before: 2 + 2 * turn });
    }
    expect(new Set(wordsIn(log)).size).to.equal(21);
  });

  it('sees events of others, even if its own decision would change nothing', async () => {
    const [one, two] = [handlerOver(log), handlerOver(log)];
    await one('s', 'a', CAUSE);
    await two('s', 'b', CAUSE);
    expect((await one('s', 'a', CAUSE)).reply).to.deep.equal({ added: false, before: 2 });
  });

  it('decides concurrent commands in sequence, and appends them together', async () => {
    const handle = handlerOver(log);
    const first = handle('s', 'a', CAUSE);
    const rest = ['b', 'c', 'b', 'd'].map((word) => handle('s', word, CAUSE));
    expect((await first).reply.before).to.equal(0);
    expect((await Promise.all(rest)).map(({ reply }) => reply)).to.deep.equal([
      { added: true, before: 1 },
      { added: true, before: 2 },
      { added: false, before: 3 },
      { added: true, before: 3 },
    ]);
    expect(log.calls).to.deep.equal({ appends: 2, reads: 0 });
  });

  it('rejects an invalid command without affecting the others', async () => {
    const handle = handlerOver(log);
    const results = await Promise.allSettled(['a', 'bad', 'b', 'bad', 'c'].map((word) => handle('s', word, CAUSE)));
    expect(results.map(({ status }) => status)).to.deep.equal([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(wordsIn(log)).to.deep.equal(['a', 'b', 'c']);
  });

  it('continues from the state of the log after a failure of the log', async () => {
    const handle = handlerOver(log);
    await handle('s', 'a', CAUSE);
    log.interrupt(() => Promise.reject(new Error('gone')));
    expect(await handle('s', 'b', CAUSE).catch((error: Error) => error.message)).to.equal('gone');
    expect((await handle('s', 'b', CAUSE)).reply).to.deep.equal({ added: true, before: 1 });
    expect(wordsIn(log)).to.deep.equal(['a', 'b']);
  });

  it('reads many streams in parts, one after the other; a failure affects only its stream', async () => {
    const streams = Array.from({ length: 600 }, (_, index) => `s${index}`);
    await Promise.all(streams.map((stream) => handlerOver(log)(stream, 'a', CAUSE)));
    const parts: number[] = [];
    let underWay = 0;
    const slow = {
      ...log,
      async readMany(names: readonly string[]) {
        parts.push(names.length);
        expect(++underWay).to.equal(1);
        await setImmediate();
        underWay--;
        if (parts.length === 2) throw new Error('gone');
        return log.readMany(names);
      },
    };
    const handle = handlerOver(slow);
    const refused = await Promise.all(
      streams.map((stream) => handle(stream, 'bad', CAUSE).catch((error: Error) => error.message)),
    );
    expect(parts).to.deep.equal([250, 250, 100]);
    expect(refused.map((message, index) => [index, message])).to.deep.equal(
      streams.map((_, index) => [index, index >= 250 && index < 500 ? 'gone' : 'CONFLICT']),
    );
  });

  it('keeps streams apart', async () => {
    const handle = handlerOver(log);
    await Promise.all([handle('s', 'a', CAUSE), handle('t', 'a', CAUSE)]);
    expect([log.streams.get('s')!.length, log.streams.get('t')!.length]).to.deep.equal([1, 1]);
  });
});

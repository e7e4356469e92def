/** Numbers of carrier accounts on a real log: never twice, the same for a key, and without reading the whole stream. */
import { expect } from 'chai';
import { createNumberStreams } from '../../../src/commands/carrier-accounts/number-streams.js';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { numbersStream } from '../../../src/events/carrier-accounts/numbers.js';
import { carrierNumbers, createNumberQueries } from '../../../src/projections/carrier-accounts/numbers.js';
import { CAUSE, openTestCore, type TestCore } from '../../support/worlds/test-core.js';

const BUSINESS = 7;

describe('numbers of carrier accounts, drawn at the same time', () => {
  let core: TestCore;
  before(async () => void (core = await openTestCore()));
  after(() => core.close());

  let eventsRead = 0;
  /** As in a process: without the state of the others. */
  const newProcess = () => {
    const { log, keyRing, pool } = core.engines;
    async function* read(stream: string, from?: number) {
      for await (const event of log.read(stream, from)) {
        eventsRead += 1;
        yield event;
      }
    }
    const { known } = createNumberQueries(pool);
    const counted = { ...log, append: log.append.bind(log), read } as typeof log;
    return createNumberStreams({ log: counted, keyRing, types: EVENT_TYPES, now: Date.now, known });
  };
  const setRange = (accountId: number, from: number, to: number, commandId = `${accountId} ${from} ${to}`) =>
    newProcess().setRange(
      { business: BUSINESS, accountId, scheme: 'sscc', commandId, prefix: '04012345', from, to },
      CAUSE,
    );
  const keys = (count: number, name = 'key') => Array.from({ length: count }, (_, index) => `${name} ${index}`);

  it('are different for each key and equal for the same key, in three processes, before the read model has them', async () => {
    await setRange(1, 0, 9_999);
    const processes = [newProcess(), newProcess(), newProcess()];
    const drawn = await Promise.all(
      processes.map((process) => Promise.all(keys(120).map((key) => process.draw(1, 'sscc', key)))),
    );
    const serials = drawn[0]!.map((one) => one!.serial);
    expect([...serials].sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 120 }, (_, index) => index));
    for (const other of drawn) expect(other).to.deep.equal(drawn[0]);
    expect(await newProcess().drawn(1, 'sscc', 'key 7')).to.deep.equal(drawn[0]![7]);
    expect(await newProcess().drawn(1, 'sscc', 'unknown')).to.equal(undefined);
  });

  it('are the same from the read model, which reads no events', async () => {
    const before = await newProcess().drawn(1, 'sscc', 'key 7');
    core.run();
    await core.caughtUp();
    eventsRead = 0;
    expect(await newProcess().drawn(1, 'sscc', 'key 7')).to.deep.equal(before);
    expect(await newProcess().draw(1, 'sscc', 'key 7')).to.deep.equal(before);
    expect((await newProcess().draw(1, 'sscc', 'next'))?.serial).to.equal(120);
    expect(eventsRead, 'of 122 events').to.equal(0);
  });

  it('end with the range, and continue after an extension', async () => {
    await setRange(2, 0, 4);
    const process = newProcess();
    const serials = await Promise.all(keys(7).map((key) => process.draw(2, 'sscc', key)));
    expect(serials.map((one) => one?.serial)).to.deep.equal([0, 1, 2, 3, 4, undefined, undefined]);
    await setRange(2, 0, 9);
    expect((await process.draw(2, 'sscc', 'key 5'))?.serial).to.equal(5);
    expect((await process.draw(2, 'sscc', 'key 0'))?.serial, 'a number that was drawn before').to.equal(0);
    expect(await process.draw(3, 'sscc', 'key'), 'an account without range').to.equal(undefined);
  });

  it('are not drawn again from a range that contains them', async () => {
    await setRange(4, 0, 99);
    await newProcess().draw(4, 'sscc', 'first');
    const refusal = await setRange(4, 0, 50, 'shorter').then(
      () => 'shortened',
      (error: { code: string }) => error.code,
    );
    expect(refusal).to.equal('shortened');
    await setRange(4, 60, 99);
    const overlapping = await setRange(4, 1, 99).then(() => 'set');
    expect(overlapping, 'only drawn numbers count').to.equal('set');
    const code = await setRange(4, 0, 0, 'again').then(
      () => 'set',
      (error: { code: string }) => error.code,
    );
    expect(code, 'the first range again').to.equal('set');
    expect(await newProcess().draw(4, 'sscc', 'second'), 'its only number was drawn').to.equal(undefined);
    await setRange(4, 1, 99, 'back');
    expect((await newProcess().draw(4, 'sscc', 'third'))?.serial).to.equal(1);
    const longer = { prefix: '040123450', from: 0, to: 9 };
    const refused = await newProcess()
      .setRange({ business: BUSINESS, accountId: 4, scheme: 'sscc', commandId: 'long', ...longer }, CAUSE)
      .then(
        () => 'set',
        (error: { code: string }) => error.code,
      );
    expect(refused, 'contains the numbers 0 and 1 of the shorter prefix').to.equal('NUMBERS_IN_USE');
  });

  it('are recorded once per range, and rebuilt', async () => {
    const stream = numbersStream(5, 'sscc');
    await setRange(5, 0, 9, 'same');
    await setRange(5, 0, 9, 'other');
    const types: string[] = [];
    for await (const { type } of core.engines.log.read(stream)) types.push(type);
    expect(types).to.deep.equal(['NumberRangeSet']);
    await core.caughtUp();
    for (const batch of [7, 5_000])
      expect((await core.replay(carrierNumbers as never, false, batch)).found).to.be.empty;
  });
});

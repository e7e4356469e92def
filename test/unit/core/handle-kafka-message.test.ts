/** A push from a topic takes the same path as every other call. */
import { expect } from 'chai';
import type { ProviderCaller } from '../../../src/api/core/callers.js';
import { ApiError } from '../../../src/api/core/errors.js';
import type { Call } from '../../../src/api/core/call.js';
import type { Invoke } from '../../../src/api/core/invoke.js';
import type { Operation } from '../../../src/api/core/operation.js';
import { handleMessage } from '../../../src/api/kafka/handle-message.js';
import { ingestDelivery } from '../../../src/api/kafka/ingest.js';
import type { Message, Received } from '../../../src/events/core/broker.js';

const caller = { role: 'provider', id: 'dhl', keyId: 'k' } as unknown as ProviderCaller;
const operation = { name: 'otepIngest', run: () => Promise.reject(new Error('past invoke')) } as unknown as Operation;
const message: Received = {
  topic: 'ot.ingest.dhl',
  partition: 0,
  offset: '7',
  key: Buffer.from('PKG1'),
  value: Buffer.from('{"events":[]}'),
  headers: {},
} as unknown as Received;
const answerBy = (invoke: Invoke) => ({ operation, invoke, now: () => 1_000, baseUrl: () => 'http://127.0.0.1' });

describe('a push from Kafka', () => {
  it('house 6: goes through invoke, as the same command on each delivery', async () => {
    const calls: Call[] = [];
    const inputs: unknown[] = [];
    const invoke: Invoke = (_operation, input, call) => {
      calls.push(call);
      inputs.push(input());
      return Promise.resolve({ result: { result: true }, position: undefined });
    };
    for (let time = 0; time < 2; time++)
      expect((await handleMessage(message, caller, answerBy(invoke))).status).to.equal(200);
    expect(inputs[0]).to.deep.equal({ document: { events: [] } });
    expect(calls[0]).to.include({ caller, channel: 'kafka' });
    expect(calls[0]!.command).to.deep.equal(calls[1]!.command);
  });

  it('house 6: waits above its rate limit, and is not rejected', async () => {
    let times = 0;
    const invoke: Invoke = () =>
      times++ === 0
        ? Promise.reject(new ApiError('RATE_LIMITED', { params: { seconds: 1 } }))
        : Promise.resolve({ result: { result: true }, position: undefined });
    const sent: Message[] = [];
    await ingestDelivery({ messages: [message] } as never, 'dhl', new AbortController().signal, {
      ...answerBy(invoke),
      prefix: 'ot',
      callerOf: () => Promise.resolve(caller),
      send: (messages) => Promise.resolve(void sent.push(...messages)),
      onFailure: () => expect.fail('a rate limit is no failure'),
    });
    expect(times).to.equal(2);
    expect(sent).to.have.length(1);
    expect(JSON.parse(String(sent[0]!.value))).to.deep.equal({ result: true });
  });
});

import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { startRelay } from '../../../src/relay/relay.js';
import { parseTraceparent } from '../../../src/tracing/traceparent.js';
import { startTracing, type Tracing } from '../../../src/tracing/tracing.js';
import { eventually } from '../../support/eventually.js';
import { query } from '../../support/worlds/database.js';
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from '../../support/fakes/otlp-receiver.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { startTestService } from '../../support/worlds/service.js';
import { leaseHolder } from '../../../src/events/core/time-limits.js';

const CALLER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const NAME = 'Ottilie Zusteller';

describe('tracing', () => {
  let receiver: OtlpReceiver;
  let key: string;
  let number: string;
  let stored: Record<string, unknown>;
  let relayed: number;

  const named = (name: string): ReceivedSpan[] => receiver.spans.filter((span) => span.name === name);
  const request = (): ReceivedSpan =>
    named('POST /api/v1/otep/ingest').find(({ traceId }) => traceId === CALLER.traceId)!;

  before(async () => {
    receiver = await startOtlpReceiver();
    const t = await startTestService({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint } });
    try {
      key = t.demo.provider.key;
      number = newNumber();
      const pushed = await t.push(
        timelineOf(number, [event('picked_up', 1, { description: NAME }), event('received', 2)]),
        { headers: { traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01` } },
      );
      expect(pushed.status).to.equal(200);
      await t.read(number, pushed);
      await t.api('/nowhere');
      await fetch(`${t.url}/health/ready`);
      await fetch(`${t.url}/metrics`);
      const { log, projectionPool } = t.service.engines;
      stored = (
        await query<{ metadata: Record<string, unknown> }>(
          t.databaseUrl,
          `select metadata from log.events where metadata->'actor'->>'kind' = 'provider' order by position desc limit 1`,
        )
      )[0]!.metadata;

      relayed = 0;
      const { tracer } = await tracing();
      const relay = startRelay({
        log,
        pool: projectionPool,
        owner: leaseHolder(randomUUID()),
        wrap: tracer,
        prepare: async () => undefined,
        toMessage: ({ stream, id }) => ({ topic: 't', key: stream, value: id, headers: {} }) as never,
        send: async (messages) => void (relayed += messages.length),
        onRelayed: () => undefined,
        onError: () => undefined,
      });
      await eventually(() => relayed > 0, 'a message');
      await relay.stop();
    } finally {
      await t.stop();
    }
  });

  /** The tracer of the service is not accessible, but the API of OpenTelemetry is one per process. */
  async function tracing(): Promise<{ readonly tracer: Tracing['wrap'] }> {
    const { trace } = await import('@opentelemetry/api');
    const { traceBatches } = await import('../../../src/tracing/batches.js');
    return { tracer: traceBatches(trace.getTracer('test')) };
  }

  after(() => receiver.close());

  it('records each request under its route, in the trace of its caller', () => {
    expect(request()).to.deep.include({
      ...CALLER,
      spanId: request().spanId,
      parentSpanId: CALLER.spanId,
      kind: 2,
      status: 0,
    });
    expect(request().attributes).to.include({
      'http.request.method': 'POST',
      'http.route': '/api/v1/otep/ingest',
      'http.response.status_code': 200,
    });
    expect(request().attributes['request.id']).to.match(/^[0-9a-f-]{36}$/);
    expect(request().resource).to.include({ 'service.name': 'open-transport' });
    const read = named('GET /api/v1/otep/trackings/:tracking_number');
    expect(read).to.have.length(1);
    expect(read[0]!.parentSpanId ?? '').to.equal('');
    expect(named('GET')[0]!.attributes).to.include({ 'http.response.status_code': 404 });
  });

  it('records the append that the request caused', () => {
    const append = named('append').find(({ parentSpanId }) => parentSpanId === request().spanId);
    expect(append).to.include({ traceId: CALLER.traceId, kind: 3 });
    expect(append!.attributes).to.include({ 'log.streams': 1, 'log.conflicts': 0 });
    expect(append!.attributes['log.events']).to.be.at.least(2);
  });

  it('stores the trace with the events', () => {
    expect(parseTraceparent(stored['traceparent'])).to.include({ traceId: CALLER.traceId, spanId: request().spanId });
  });

  for (const name of ['project timeline', 'relay']) {
    it(`links the batch to the request that created its events (${name})`, () => {
      const linked = named(name).filter(({ links }) =>
        links.some(({ traceId, spanId }) => traceId === CALLER.traceId && spanId === request().spanId),
      );
      expect(linked).to.have.length(1);
      expect(linked[0]!.traceId).to.not.equal(CALLER.traceId);
      expect(linked[0]).to.include({ kind: 5, status: 0 });
      expect(linked[0]!.attributes['log.events']).to.be.at.least(2);
    });
  }

  it('records nothing of health checks, and no caller', () => {
    expect(receiver.spans.map(({ name }) => name).filter((name) => /health|metrics/.test(name))).to.be.empty;
    for (const secret of [NAME, number, key]) expect(receiver.text()).to.not.include(secret);
  });

  it('marks a failure only with the kind of its error', async () => {
    const { inSpan } = await import('../../../src/tracing/spans.js');
    const calls: unknown[] = [];
    const span = {
      setAttribute: (...args: unknown[]) => (calls.push(args), span),
      setStatus: (status: unknown) => (calls.push(status), span),
      end: () => calls.push('end'),
    };
    const tracer = {
      startActiveSpan: (_name: string, _options: object, work: (span: unknown) => unknown) => work(span),
    } as never;
    const failure = await inSpan(tracer, 'append', {}, async () => {
      throw new RangeError(NAME);
    }).catch((error: Error) => error);
    expect(failure).to.be.instanceOf(RangeError);
    expect(calls).to.deep.equal([['error.type', 'RangeError'], { code: 2 }, 'end']);
  });

  it('does not block the service if the collector is unavailable', async () => {
    const t = await startTestService({ seed: false, env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' } });
    expect((await t.api('/nowhere')).status).to.equal(404);
    await t.stop();
  });

  it('has no effect when it is disabled', async () => {
    const { log, requests, traceparent } = await startTracing(undefined);
    const [some, listener] = [{} as never, () => undefined];
    expect([log(some), requests(listener), traceparent()]).to.deep.equal([some, listener, undefined]);
  });
});

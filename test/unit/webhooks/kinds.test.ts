/** Kinds of webhooks: every event type has a kind, or is listed as an event without a webhook. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { EVENT_TYPES, STREAMS } from '../../../src/areas/index.js';
import type { JsonObject, StoredEvent } from '../../../src/events/core/log.js';
import { kindOf, typeOf, WEBHOOK_KINDS } from '../../../src/events/webhooks/events.js';
import { exampleBody } from '../../../src/webhooks/examples.js';
import { businessOf, KINDS, kindsByEvent } from '../../../src/webhooks/kinds.js';
import { sourceOfType } from '../../support/checks/source-locations.js';
import { EVENTS_WITHOUT_WEBHOOK } from './events-without-webhook.js';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const kindsByType = kindsByEvent(KINDS);
const types = STREAMS.flatMap(({ events }) => events.map(({ type }) => type));

describe('kinds of webhooks', () => {
  it('publish every event type that is not listed as an event without a webhook', () => {
    const silent = new Set<string>(EVENTS_WITHOUT_WEBHOOK);
    const LIST = 'test/unit/webhooks/events-without-webhook.ts';
    const wrong = [
      ...types
        .filter((type) => !kindsByType.has(type) && !silent.has(type))
        .map(
          (type) =>
            `${sourceOfType(type)}: ${type} has no webhook. Add the line '${type}', to ${LIST}, or a kind to src/webhooks/*-kinds.ts`,
        ),
      ...types
        .filter((type) => kindsByType.has(type) && silent.has(type))
        .map((type) => `${LIST}: ${type} has a webhook (src/webhooks/*-kinds.ts). Remove its line from the list`),
      ...[...silent]
        .filter((type) => !types.includes(type))
        .map((type) => `${LIST}: ${type} is not an event type. Remove or correct its line`),
      ...[...kindsByType.keys()]
        .filter((type) => !types.includes(type))
        .map((type) => `src/webhooks/*-kinds.ts: ${type} is not an event type. Correct \`on\` of its kind`),
      ...EVENTS_WITHOUT_WEBHOOK.filter((type, index, all) => all.indexOf(type) !== index).map(
        (type) => `${LIST}: ${type} is listed twice. Remove one line`,
      ),
    ];
    expect(wrong, wrong.join('\n')).to.deep.equal([]);
  });

  for (const kind of WEBHOOK_KINDS) {
    const { type, since, prefix, on, example, shape } = KINDS[kind];

    it(`${kind} is named after its type, has a first service version, and reads streams with its events`, () => {
      expect([kindOf(type), typeOf(kind)]).to.deep.equal([kind, type]);
      expect(type).to.match(/^[a-z_]+\.[a-z_]+$/);
      expect(since).to.match(/^\d+\.\d+\.\d+$/);
      expect(since.localeCompare(version, 'en', { numeric: true })).to.be.at.most(0);
      const streams = STREAMS.filter(({ events }) => events.some((one) => on.includes(one.type)));
      expect(streams.map((one) => one.prefix)).to.deep.equal([prefix]);
    });

    it(`${kind} has an example from real events, in the published form`, () => {
      const { first, trigger: last = first } = example;
      expect(on).to.include(last[0]);
      const { data } = JSON.parse(exampleBody(kind, new Date(0)).bytes.toString()) as { data: Record<string, unknown> };
      expect(data, 'what every webhook says').to.include.keys('id', 'occurred_at', 'actor');
      expect(data['actor']).to.deep.equal({ kind: 'user' });
      const { error } = shape.strict().safeParse(data);
      expect(error?.issues ?? []).to.deep.equal([]);
      for (const [name, has] of [first, last]) {
        const { schema } = EVENT_TYPES.get(name)!;
        // Examples may omit members that they do not need; all members that are present must match the event schema.
        const wrong = schema.safeParse(has).error?.issues.filter(({ code, path }) => !isAbsent(code, path, has)) ?? [];
        expect(wrong, name).to.deep.equal([]);
      }
    });
  }

  it('contain the members that the design lists for individual types', () => {
    const webhooksOf = (kind: keyof typeof KINDS, event: JsonObject, type = KINDS[kind].example.trigger?.[0] ?? '') => {
      const { first, stream } = KINDS[kind].example;
      const stored = (name: string, data: JsonObject) =>
        ({ stream, type: name, data, metadata: { recorded_at: 'now' } }) as unknown as StoredEvent;
      return KINDS[kind].data({
        event: stored(type, event),
        data: event,
        first: stored(...first),
        firstData: first[1],
        keys: new Map(),
      });
    };
    const misplaced = KINDS.receiving_exception.example.trigger![1];
    expect(webhooksOf('receiving_exception', misplaced)).to.include({ code: 'MISSING', id: 'EXAMPLE00001' });
    expect(webhooksOf('receiving_exception', { ...misplaced, found: 'B-02' })).to.include({ code: 'MISPLACED' });
    expect(webhooksOf('transfer_changed', {}, 'TransferCreated')).to.include({ status: 'open', change: 'created' });
    const { status, previous_status, actor } = webhooksOf('transfer_changed', {}, 'TransferRolledBack');
    expect([status, previous_status, actor]).to.deep.equal(['rolled_back', 'rolling_back', { kind: 'system' }]);
    expect(webhooksOf('route_board_withdrawn', { driver_id: 1, next: 2 })).to.include({ next: 2, status: 'held' });
    expect(webhooksOf('route_board_withdrawn', { driver_id: 1 })).to.not.have.keys('next', 'status');
    const document = webhooksOf('document_issued', { sha256: 'a', subject: 'order-1' }, 'DocumentLinked');
    expect(document).to.deep.include({ change: 'issued', subject: 'order-1', subjects: ['order-1'] });
  });

  it('find the owner of a stream by its first event', () => {
    const of = (data: JsonObject, metadata: JsonObject = {}) =>
      businessOf({ data, metadata } as unknown as StoredEvent);
    expect(of({ business: 7 }, { business: '8' })).to.equal(7);
    expect(of({ business_id: 7 })).to.equal(7);
    expect(of({ owner: { kind: 'business', id: '7' } })).to.equal(7);
    expect(of({ owner: { kind: 'provider', id: '7' } }, { business: '8' })).to.equal(undefined);
    expect(of({ owner: 2, business: 7 }), 'the owner of a job is a user').to.equal(7);
    expect(of({}, { business: '8' })).to.equal(8);
    expect(of({})).to.equal(undefined);
  });
});

/** Whether the issue is a missing member. */
function isAbsent(code: string, path: readonly PropertyKey[], data: unknown): boolean {
  const found = path.reduce<unknown>((at, name) => (at as Record<PropertyKey, unknown> | undefined)?.[name], data);
  return code !== 'unrecognized_keys' && found === undefined;
}

/** The log over HTTP: filters, pages, export, past states, chains, and which events a caller sees. */
import { randomUUID } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { accountStream } from '../../../src/events/accounts/events.js';
import type { EncodedEvent, Position } from '../../../src/events/core/log.js';
import { trackingOfPackage } from '../../../src/events/orders/events.js';
import { depthsOf } from '../../../src/api/areas/audit/causation-depths.js';
import type { Answer } from '../../support/clients/http.js';
import { usedMegabytes } from '../../support/checks/memory.js';
import { WAIT_LIMIT_MS } from '../../support/eventually.js';
import { newNumber, recently as event, timelineOf } from '../../support/inputs/pushes.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { businessIds, causeOf, openTracking, sendToOrder } from '../../support/worlds/shipments.js';
import { signIns, type UserName } from '../../support/worlds/users.js';
import { atDepth } from '../../support/depth.js';

/** Events of about 500 bytes, far more than sockets buffer. A multiple of 5,000. */
const LOAD = atDepth(100_000, 50_000);
const NAME = 'Aurelia Empfang';
const REASON = 'Frau Empfang verreist';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type EventResponse = any;

describe('audit over HTTP', () => {
  let t: TestService;
  let as: (user: UserName) => Promise<string>;
  let demo: number;
  let other: number;
  let position: Position;
  let tracking: string;
  const number = newNumber();
  const correlation = randomUUID();

  const read = async (user: UserName, path: string, at: Position | undefined = position): Promise<Answer> =>
    t.api(`/audit${path}`, { key: await as(user), ...(at !== undefined && { headers: { 'x-event-position': at } }) });
  const eventsFor = async (user: UserName, query = ''): Promise<EventResponse[]> => {
    const { status, json, text } = await read(user, `/events?limit=500${query}`);
    expect(status, text).to.equal(200);
    return json.events;
  };
  const linesFor = async (user: UserName, query = ''): Promise<EventResponse[]> => {
    const answer = await read(user, `/events/export?${query}`);
    expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([200, 'application/x-ndjson']);
    return answer.text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as EventResponse);
  };

  before(async () => {
    t = await startTestService();
    as = signIns(t);
    ({ demo, other } = await businessIds(t.service));
    const cause = causeOf(demo, t.demo.users.client_admin.id);
    tracking = await openTracking(t.service, demo, number, [t.demo.provider.id], cause);
    await sendToOrder(
      t.service,
      901,
      demo,
      {
        do: 'create',
        order: {
          type: 'D',
          self_delivery: true,
          packages: [{ tracking_number: number }],
          time_windows: [],
          delivery: { name: NAME, city: 'Berlin' },
        },
      },
      { ...cause, correlationId: correlation },
    );
    await sendToOrder(t.service, 901, demo, { do: 'hold', reason: REASON }, causeOf(demo, t.demo.users.employee.id));
    await sendToOrder(
      t.service,
      902,
      other,
      {
        do: 'create',
        order: { type: 'D', self_delivery: true, packages: [{ tracking_number: 'O1' }], time_windows: [] },
      },
      causeOf(other, t.demo.users.other_client_admin.id),
    );
    // A parcel of the carrier, and its scan of the business's parcel.
    await t.push(timelineOf(newNumber(), [event('picked_up', 1)]));
    const pushed = await t.push(timelineOf(number, [event('picked_up', 1, { description: NAME })]));
    expect(pushed.status).to.equal(200);
    position = pushed.headers.get('x-event-position')!;
  });
  after(() => t.stop());

  describe('visible events', () => {
    it('a business sees all events of its own streams, also those of carriers, and no others', async () => {
      const seen = await eventsFor('client_admin');
      const streams = new Set(seen.map(({ stream }) => stream));
      expect([...streams]).to.include.members([
        'order-901',
        `tracking-${tracking}`,
        accountStream(t.demo.users.broker.id),
        `business-${demo}`,
      ]);
      const { rows } = await t.service.engines.pool.query<{ stream: string }>(
        "select 'tracking-' || id as stream from timeline.trackings where owner_kind = 'business' and owner_id = $1",
        [String(demo)],
      );
      expect([...streams].filter((stream) => stream.startsWith('tracking-'))).to.have.members(
        rows.map(({ stream }) => stream),
      );
      for (const stream of [
        `order-902`,
        `business-${other}`,
        accountStream(t.demo.users.other_broker.id),
        accountStream(t.demo.users.platform_admin.id),
        'provider-demo-carrier',
      ])
        expect(streams).to.not.include(stream);
      expect(seen.filter(({ type }) => type === 'TrackingEventRecorded').map(({ actor }) => actor)).to.deep.include({
        kind: 'provider',
        id: 'demo-carrier',
        role: null,
        token_id: seen.find(({ actor }) => actor.kind === 'provider').actor.token_id,
      });
      expect((await eventsFor('auditor')).map(({ id }) => id)).to.deep.equal(seen.map(({ id }) => id));
    });

    it('the other business sees its own in every list', async () => {
      const seen = await eventsFor('other_client_admin');
      expect(seen.some(({ stream }) => stream === 'order-902')).to.equal(true);
      expect(
        seen.some(({ stream }) => [`tracking-${tracking}`, 'order-901', `business-${demo}`].includes(stream as string)),
      ).to.equal(false);
      expect((await linesFor('other_client_admin')).map(({ id }) => id).sort()).to.deep.equal(
        seen.map(({ id }) => id).sort(),
      );
      expect(await eventsFor('other_client_admin', '&stream=order-901')).to.deep.equal([]);
      expect(await eventsFor('other_client_admin', `&correlation_id=${correlation}`)).to.deep.equal([]);
      for (const path of [
        '/streams/order-901/events',
        `/streams/tracking-${tracking}/events`,
        '/state?stream=order-901',
        `/chain/${correlation}`,
      ])
        expect((await read('other_client_admin', path)).status, path).to.equal(404);
      expect((await read('client_admin', '/streams/order-902/events')).status).to.equal(404);
    });

    it('the platform sees events without a business, and events of businesses', async () => {
      const streams = new Set((await eventsFor('platform_admin')).map(({ stream }) => stream as string));
      expect([...streams]).to.include.members([
        `business-${demo}`,
        `business-${other}`,
        'provider-demo-carrier',
        accountStream(t.demo.users.platform_admin.id),
      ]);
      expect(
        [...streams].filter(
          (stream) =>
            /^(order|tracking|capture)-/.test(stream) || stream === accountStream(t.demo.users.client_admin.id),
        ),
      ).to.deep.equal([]);
      expect((await read('platform_admin', '/state?stream=order-901')).status).to.equal(404);
    });

    it('no other role reads any of it', async () => {
      for (const path of [
        '/events',
        '/events/export',
        '/streams/order-901/events',
        '/state?stream=order-901',
        `/chain/${correlation}`,
      ]) {
        for (const user of ['employee', 'broker', 'driver', 'customer'] as const)
          expect((await read(user, path)).status, `${user} ${path}`).to.equal(403);
        expect((await t.api(`/audit${path}`)).status, path).to.equal(401);
        expect((await t.api(`/audit${path}`, { key: t.demo.provider.key })).status, path).to.equal(403);
      }
      const { json } = await t.api('/api-keys', { key: await as('client_admin'), body: { name: 'program' } });
      expect((await t.api('/audit/events', { key: json.secret })).json.code).to.equal('INSUFFICIENT_SCOPE');
    });
  });

  describe('filters', () => {
    // The index follows the log in the background, and tests before this one write events.
    before(async () => {
      const { progress, engines } = t.service;
      await progress.waitFor('audit_index', await engines.log.head(), WAIT_LIMIT_MS);
    });

    it('by stream, area, type, actor, channel and correlation, alone and together', async () => {
      const types = async (query: string) => (await eventsFor('client_admin', query)).map(({ type }) => type);
      expect(await types('&stream=order-901')).to.deep.equal(['OrderHeld', 'OrderCreated']);
      const ofOrders = await eventsFor('client_admin', '&area=orders');
      expect(ofOrders.slice(0, 2).map(({ stream, type }) => [stream, type])).to.deep.equal([
        ['order-901', 'OrderHeld'],
        ['order-901', 'OrderCreated'],
      ]);
      expect(ofOrders.filter(({ stream }) => !stream.startsWith('order-'))).to.deep.equal([]);
      expect(await types('&type=OrderHeld')).to.deep.equal(['OrderHeld']);
      expect(await types(`&actor=user:${t.demo.users.employee.id}`)).to.deep.equal(['OrderHeld']);
      expect(await types('&actor=provider:demo-carrier')).to.deep.equal(['TrackingEventRecorded']);
      expect(await types('&channel=graphql')).to.deep.equal([]);
      expect(await types(`&correlation_id=${correlation}`)).to.deep.equal([
        'TrackingIdentified',
        'TrackingEventRecorded',
        'OrderCreated',
      ]);
      expect(await types('&stream=order-901&type=OrderCreated&channel=rest')).to.deep.equal(['OrderCreated']);
    });

    it('by time and by position', async () => {
      const all = await eventsFor('client_admin', '&sort=recorded_at');
      const [held] = all.filter(({ type }) => type === 'OrderHeld');
      const ids = async (query: string) =>
        (await eventsFor('client_admin', `&sort=recorded_at${query}`)).map(({ id }) => id);
      const expected = (keep: (one: EventResponse) => boolean) => all.filter(keep).map(({ id }) => id);
      expect(await ids(`&recorded_from=${held.recorded_at}`)).to.deep.equal(
        expected(({ recorded_at }) => recorded_at >= held.recorded_at),
      );
      expect(await ids(`&recorded_to=${held.recorded_at}`)).to.deep.equal(
        expected(({ recorded_at }) => recorded_at < held.recorded_at),
      );
      expect(
        await ids(
          `&recorded_from=${encodeURIComponent(held.recorded_at.replace('Z', '+00:00'))}&recorded_to=2100-01-01T00:00:00Z`,
        ),
      ).to.deep.equal(expected(({ recorded_at }) => recorded_at >= held.recorded_at));
      expect(await ids(`&behind=${held.event_position}`)).to.deep.equal(
        expected((one) => one.event_position > held.event_position),
      );
      expect(await ids(`&up_to=${held.event_position}`)).to.deep.equal(
        expected((one) => one.event_position <= held.event_position),
      );
    });

    it('rejects invalid filters, and names them', async () => {
      const refusals = [
        ['limit=501', 'limit', 'TOO_BIG'],
        ['limit=0', 'limit', 'TOO_SMALL'],
        ['recorded_from=yesterday', 'recorded_from', 'INVALID_FORM'],
        ['cursor=abc', 'cursor', 'INVALID_POSITION'],
        ['behind=x', 'behind', 'INVALID_POSITION'],
        [`cursor=${position.replace(/^../, '01')}`, 'cursor', 'POSITION_AHEAD'],
        ['area=weather', 'area', 'INVALID_VALUE'],
        ['actor=me', 'actor', 'INVALID_FORM'],
        ['stream=', 'stream', 'TOO_SHORT'],
        ['sort=any', 'sort', 'INVALID_VALUE'],
      ] as const;
      for (const [query, field, code] of refusals) {
        const { status, json, text } = await read('auditor', `/events?${query}`);
        expect([status, json.errors?.[0]?.field, json.errors?.[0]?.code], `${query}: ${text}`).to.deep.equal([
          400,
          field,
          code,
        ]);
      }
      expect((await read('auditor', '/state?stream=order-901&at=noon')).json.errors[0].field).to.equal('at');
    });
  });

  describe('pages', () =>
    it('pages by cursor, in both orders, each event once, while events are recorded', async () => {
      for (const order of ['-recorded_at', 'recorded_at'] as const) {
        // The index may not contain events that follow from earlier writes yet.
        expect(
          await t.service.progress.waitFor('audit_index', await t.service.engines.log.head(), WAIT_LIMIT_MS),
        ).to.equal(true);
        const whole = (await eventsFor('client_admin', `&sort=${order}`)).map(({ id }) => id as string);
        const ids: string[] = [];
        let cursor = '';
        for (let pages = 0; pages < 100; pages++) {
          const { json } = await read('client_admin', `/events?sort=${order}&limit=3${cursor && `&cursor=${cursor}`}`);
          ids.push(...json.events.map(({ id }: EventResponse) => id));
          if (pages === 1)
            position = await sendToOrder(
              t.service,
              901,
              demo,
              { do: 'annotate', note: `${order} ${pages}` },
              causeOf(demo, 1),
            );
          if (!json.has_more) break;
          cursor = json.next_cursor;
        }
        expect(ids.length, order).to.equal(new Set(ids).size);
        expect(ids.slice(0, whole.length)).to.deep.equal(whole);
        expect(ids.length - whole.length).to.equal(order === '-recorded_at' ? 0 : 1);
      }
      const { json } = await read('client_admin', '/events?sort=recorded_at&limit=500');
      expect([json.has_more, json.next_cursor]).to.deep.equal([false, json.events.at(-1).event_position]);
      expect(
        (await read('client_admin', `/events?sort=recorded_at&cursor=${json.next_cursor}`)).json.events,
      ).to.deep.equal([]);
    }));

  describe('personal data', () => {
    it('is encrypted by default, decrypted for the client admin on request, and denied to the auditor', async () => {
      const plain = await read('client_admin', '/events?limit=500');
      for (const text of [
        plain.text,
        (await read('auditor', '/events?limit=500')).text,
        (await read('auditor', '/events/export')).text,
        (await read('auditor', '/state?stream=order-901')).text,
      ]) {
        for (const secret of [NAME, REASON, '$sealed', t.demo.users.broker.email]) expect(text).to.not.include(secret);
      }
      expect(plain.json.events.find(({ type }: EventResponse) => type === 'OrderHeld').personal).to.equal('sealed');
      const open = await read('client_admin', '/events?limit=500&include_personal=true');
      const held = open.json.events.find(({ type }: EventResponse) => type === 'OrderHeld');
      expect([held.personal, held.data.reason]).to.deep.equal(['opened', REASON]);
      expect(open.json.events.find(({ type }: EventResponse) => type === 'OrderCreated').data.delivery).to.deep.equal({
        city: 'Berlin',
        name: NAME,
      });
      expect((await linesFor('client_admin', 'include_personal=true&type=OrderHeld'))[0].data.reason).to.equal(REASON);
      for (const path of [
        '/events?include_personal=true',
        '/events/export?include_personal=true',
        '/streams/order-901/events?include_personal=true',
        '/state?stream=order-901&include_personal=true',
        `/chain/${correlation}?include_personal=true`,
      ]) {
        for (const user of ['auditor', 'platform_admin'] as const)
          expect((await read(user, path)).status, `${user} ${path}`).to.be.oneOf([403, 404]);
        expect((await read('auditor', path)).json.errors[0].field, path).to.equal('include_personal');
      }
    });

    it('tokens, their hashes and idempotency keys are in no response', async () => {
      const token = await as('client_admin');
      await t.api(`/users/${t.demo.users.driver.id}`, {
        method: 'PATCH',
        key: token,
        body: { name: 'Demo Driver' },
        headers: { 'idempotency-key': 'once-and-secret' },
      });
      position = await t.service.engines.log.head();
      const { text } = await read(
        'client_admin',
        `/streams/${accountStream(t.demo.users.driver.id)}/events?include_personal=true`,
      );
      expect(text).to.include('AccountChanged').and.to.not.include('once-and-secret').and.to.not.include(token);
    });
  });

  describe('past states', () => {
    it('of a tracking: the timeline as known at that time', async () => {
      const [before] = await eventsFor('client_admin', `&stream=tracking-${tracking}&sort=-recorded_at`);
      const pushed = await t.push(timelineOf(number, [event('delivered', 5)]));
      position = pushed.headers.get('x-event-position')!;
      const now = await read('client_admin', `/state?stream=tracking-${tracking}&include_personal=true`);
      const then = await read('client_admin', `/state?stream=tracking-${tracking}&at=${before.event_position}`);
      const inTime = await read('client_admin', `/state?stream=tracking-${tracking}&at=${before.recorded_at}`);
      expect(now.json.audit_state.timeline.events.map(({ status_code }: EventResponse) => status_code)).to.deep.equal([
        'picked_up',
        'delivered',
        'information_submitted',
      ]);
      expect(now.json.audit_state.timeline.events[0].description).to.equal(NAME);
      expect(then.json.audit_state.timeline.events.map(({ status_code }: EventResponse) => status_code)).to.deep.equal([
        'picked_up',
        'information_submitted',
      ]);
      expect(then.text).to.not.include(NAME);
      expect([then.json.audit_state.revision, inTime.json.audit_state.revision]).to.deep.equal([
        before.revision,
        before.revision,
      ]);
      expect(then.json.audit_state.rows.timeline[0]).to.deep.include({
        id: tracking,
        number,
        revision: before.revision,
      });
      expect(
        (await read('client_admin', `/state?stream=tracking-${tracking}&at=2020-01-01T00:00:00Z`)).status,
      ).to.equal(404);
    });

    it('of an account, with personal data only on request', async () => {
      const stream = accountStream(t.demo.users.broker.id);
      const { json } = await read('client_admin', `/state?stream=${stream}&include_personal=true`);
      expect(json.audit_state.rows.accounts[0]).to.deep.include({
        id: t.demo.users.broker.id,
        role: 'broker',
        status: 'active',
      });
      expect(json.audit_state.rows.accounts[0].person[0].data.email).to.equal(t.demo.users.broker.email);
      expect(
        (await read('auditor', `/state?stream=${stream}`)).json.audit_state.rows.accounts[0].person[0].data,
      ).to.deep.equal({});
    });
  });

  describe('chains', () =>
    it('lists the events that a request caused, from cause to effect', async () => {
      const request = randomUUID();
      const cause = causeOf(demo, t.demo.users.client_admin.id, request);
      await sendToOrder(
        t.service,
        903,
        demo,
        {
          do: 'create',
          order: { type: 'D', self_delivery: true, packages: [{ tracking_number: `${number}C` }], time_windows: [] },
        },
        cause,
      );
      const created = (await t.service.engines.log.readMany(['order-903'])).get('order-903')![0]!;
      const id = trackingOfPackage(demo, `${number}C`);
      position = await t.service.engines.log.head();
      const { json } = await read('auditor', `/chain/${request}`);
      expect(
        json.events.map(({ stream, type, depth, causation_id, channel, actor }: EventResponse) => ({
          stream,
          type,
          depth,
          causation_id,
          channel,
          actor: actor.kind,
        })),
      ).to.deep.equal([
        { stream: 'order-903', type: 'OrderCreated', depth: 0, causation_id: null, channel: 'rest', actor: 'user' },
        {
          stream: `tracking-${id}`,
          type: 'TrackingOpened',
          depth: 1,
          causation_id: created.id,
          channel: 'rest',
          actor: 'user',
        },
        {
          stream: `tracking-${id}`,
          type: 'TrackingEventRecorded',
          depth: 1,
          causation_id: created.id,
          channel: 'rest',
          actor: 'user',
        },
      ]);
      const second = await read('auditor', `/chain/${request}?limit=1&cursor=${json.events[0].event_position}`);
      expect(second.json.events.map(({ depth }: EventResponse) => depth)).to.deep.equal([1]);
      expect((await read('auditor', `/chain/${randomUUID()}`)).status).to.equal(404);
      expect([
        ...depthsOf([
          { id: 'a', causation: null },
          { id: 'b', causation: 'a' },
          { id: 'c', causation: 'elsewhere' },
          { id: 'd', causation: 'b' },
        ]).values(),
      ]).to.deep.equal([0, 1, 0, 2]);
    }));

  describe('export', () =>
    it(`returns ${LOAD} events to a slow reader, in bounded memory`, async () => {
      const { log } = t.service.engines;
      const metadata = {
        $correlationId: randomUUID(),
        recorded_at: new Date().toISOString(),
        actor: { kind: 'user', id: '1', channel: 'rest' },
        business: String(demo),
      };
      const events = (count: number): EncodedEvent[] =>
        Array.from({ length: count }, () => ({
          id: randomUUID(),
          type: 'LoadMade',
          version: 1,
          json: JSON.stringify({ business: demo, filling: 'x'.repeat(400) }),
          metadata,
        }));
      for (let n = 0; n < LOAD / 5_000; n++)
        await log.append(
          Array.from({ length: 10 }, (_, m) => ({
            stream: `order-load${n}x${m}`,
            events: events(500),
            expected: 'no-stream' as const,
          })),
        );
      const head = await log.head();
      expect(await t.service.progress.waitFor('audit_index', head, WAIT_LIMIT_MS)).to.equal(true);
      const key = await as('auditor');

      let picked = 0;
      const pick = log.pick.bind(log);
      log.pick = (names) => pick(((picked += names.length), names));
      try {
        const response = await new Promise<IncomingMessage>((resolve) =>
          get(
            `${t.url}/api/v1/audit/events/export?type=LoadMade`,
            { headers: { authorization: `Bearer ${key}` } },
            resolve,
          ),
        );
        response.pause();
        await sleep(1_500);
        // No client reads, so the service creates no more than the buffers of the sockets hold.
        expect(picked).to.be.greaterThan(0).and.lessThan(30_000);
        let lines = 0;
        let maxSeen = 0;
        const started = usedMegabytes();
        for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
          const before = lines;
          for (let at = chunk.indexOf('\n'); at >= 0; at = chunk.indexOf('\n', at + 1)) lines++;
          if (Math.floor(lines / 10_000) > Math.floor(before / 10_000)) maxSeen = Math.max(maxSeen, usedMegabytes());
        }
        expect(lines).to.equal(LOAD);
        expect(picked).to.equal(LOAD);
        // The whole response has about 100 MB, and several times that as objects. A page of it and full sockets take
        // only a part of that.
        expect(maxSeen - started).to.be.lessThan(30);

        picked = 0;
        const left = await new Promise<IncomingMessage>((resolve) =>
          get(
            `${t.url}/api/v1/audit/events/export?type=LoadMade`,
            { headers: { authorization: `Bearer ${key}` } },
            resolve,
          ),
        );
        left.destroy();
        await sleep(500);
        const then = picked;
        await sleep(300);
        expect(picked, 'who leaves ends the work').to.equal(then).and.lessThan(LOAD);
      } finally {
        log.pick = pick;
      }
    }));
});

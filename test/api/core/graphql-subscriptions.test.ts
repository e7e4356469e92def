/** Following a parcel over server-sent events. */
import { expect } from 'chai';
import { graphqlRaw } from '../../support/clients/graphql.js';
import { openStream, type Stream } from '../../support/clients/sse.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns } from '../../support/worlds/users.js';

const follow = (
  url: string,
  query: string,
  variables: object = {},
  headers: Record<string, string> = {},
): Promise<Stream> => openStream(`${url}/api/graphql`, headers, { query, variables });

const FOLLOW =
  'subscription ($n: String!) { trackingEvents(trackingNumber: $n) { trackingNumber revision statusCode occurredAt event } }';

describe('GraphQL subscriptions', () => {
  let test: TestService;

  before(async () => {
    test = await startTestService();
  });
  after(() => test.stop());

  async function opened(): Promise<string> {
    const number = newNumber();
    const pushed = await test.push(timelineOf(number, [event('information_submitted', 0)]));
    expect((await test.read(number, pushed)).status).to.equal(200);
    return number;
  }

  it('return the events of a parcel as they are recorded, each once, in the public view, and no others', async () => {
    const [number, other] = [await opened(), await opened()];
    const stream = await follow(test.url, FOLLOW, { n: number });
    expect(stream.status).to.equal(200);
    await test.push(timelineOf(other, [event('picked_up', 1)]));
    await test.push(
      timelineOf(number, [
        event('picked_up', 1, { location: { city: 'Ulm' }, source: { type: 'driver', name: 'Some Body' } }),
      ]),
    );
    const first = await stream.next();
    expect(first!.event).to.equal('next');
    expect(first!.data.data.trackingEvents).to.include({ trackingNumber: number, statusCode: 'picked_up' });
    expect(first!.data.data.trackingEvents.event.location).to.deep.equal({ city: 'Ulm' });
    expect(JSON.stringify(first)).to.not.contain('Some Body');
    await test.push(timelineOf(number, [event('in_transit', 2), event('arrival_scan', 3)]));
    const more = [await stream.next(), await stream.next()].map((message) => message!.data.data.trackingEvents);
    expect(more.map(({ statusCode }) => statusCode)).to.deep.equal(['in_transit', 'arrival_scan']);
    expect(more[0].revision).to.be.lessThan(more[1].revision);
    stream.close();
  });

  it("report an unknown number in the caller's language, and end", async () => {
    const stream = await follow(test.url, FOLLOW, { n: 'NOSUCHNUMBER' }, { 'accept-language': 'de' });
    const { data } = (await stream.next())!;
    expect(data.errors[0].extensions).to.include({ code: 'TRACKING_NOT_FOUND', status: 404 });
    expect(data.errors[0].message).to.contain('Sendung');
    expect((await stream.next())!.event).to.equal('complete');
    expect(await stream.next()).to.equal(undefined);
  });

  it('are rejected as JSON, like queries as streams and invalid documents', async () => {
    const json = await graphqlRaw(test.url, JSON.stringify({ query: FOLLOW, variables: { n: 'X' } }));
    expect(json.status).to.equal(406);
    const query = await follow(test.url, '{ __typename }');
    expect(query.status).to.equal(406);
    const invalid = await follow(test.url, 'subscription { nothing }');
    expect(invalid.status).to.equal(400);
  });

  it('are limited per client, and an ended one frees its place', async () => {
    const number = await opened();
    const named = { authorization: `Bearer ${await signIns(test)('driver')}` };
    const open = () => follow(test.url, FOLLOW, { n: number }, named);
    const streams = await Promise.all(Array.from({ length: 10 }, open));
    expect(streams.map(({ status }) => status)).to.deep.equal(Array(10).fill(200));
    expect((await open()).status).to.equal(429);
    streams[0]!.close();
    let status = 429;
    for (let attempt = 0; status === 429 && attempt < 100; attempt++) {
      const again = await open();
      status = again.status;
      if (status === 200) streams.push(again);
    }
    expect(status).to.equal(200);
    for (const stream of streams) stream.close();
  });

  it('include events of another process, and end when their own process stops', async () => {
    const number = await opened();
    const api = await startTestService({ databaseUrl: test.databaseUrl, seed: false, env: { ROLES: 'api' } });
    const stream = await follow(api.url, FOLLOW, { n: number });
    await test.push(timelineOf(number, [event('picked_up', 1)]));
    expect((await stream.next())!.data.data.trackingEvents.statusCode).to.equal('picked_up');
    const stopped = api.stop();
    const last = await stream.next();
    expect(last).to.include({ event: 'complete' });
    expect(await Promise.race([stream.next().then(() => 'ended'), stopped.then(() => 'cut off')])).to.equal('ended');
    await stopped;
  });
});

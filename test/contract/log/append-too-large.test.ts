import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { startEventStoreServer } from '../../support/fakes/eventstore-server.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { startTestService } from '../../support/worlds/service.js';

describe('a push that is too large for one append', () => {
  it('returns 413, stores nothing, and can be sent in parts', async () => {
    const server = await startEventStoreServer();
    const t = await startTestService({ env: { EVENTSTORE_URL: server.url } });
    try {
      const number = newNumber();
      // Less than the limit of a request body, but more than that of an append with the data stored next to each event.
      const events = Array.from({ length: 500 }, (_, n) =>
        event('arrival_scan', n, { 'x-note': randomBytes(1_480).toString('base64') }),
      );
      const refused = await t.push(timelineOf(number, events));
      expect([refused.status, refused.json.code]).to.deep.equal([413, 'BODY_TOO_LARGE']);
      expect(refused.json.errors[0]).to.include({ field: 'body', code: 'BODY_TOO_LARGE' });
      expect((await t.read(number)).status).to.equal(404);
      for (const part of [events.slice(0, 250), events.slice(250)])
        expect((await t.push(timelineOf(number, part))).json.accepted).to.equal(250);
    } finally {
      await t.stop();
      server.stop();
    }
  });
});

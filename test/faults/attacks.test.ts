/**
 * A separate process without a token attacks the service. Other clients still get responses, memory is bounded, and
 * data of the attack is not stored. Each attack once stopped or filled the service. Response times of others before,
 * during and after it are printed, and judged only with VERIFY=1.
 */
import { expect } from 'chai';
import { openStream } from '../support/clients/sse.js';
import { startAttackedService, type AttackedService } from '../support/processes/attacked-service.js';
import { query } from '../support/worlds/database.js';

/**
 * Maximum time of a sign-in of another user, where figures are judged. Without a limit it was 15 s, and then an error.
 */
const SIGNED_IN_MS = 5_000;

const AN_ADDRESS = {
  kind: 'recipient',
  label: 'A door',
  address: { name: 'Ada Muster', street: 'Invalidenstraße 44', city: 'Berlin', postal_code: '10115', country: 'DE' },
};

describe('under attack', () => {
  let a: AttackedService;
  before(async () => {
    a = await startAttackedService();
  });
  afterEach(() => a.endAttackers());
  after(() => a?.stop());

  const stored = async (model: string): Promise<number> =>
    (
      await query<{ count: number }>(
        a.database.url,
        `select count(*)::int as count from access.oauth where model = '${model}'`,
      )
    )[0]!.count;

  it('H1: endless requests for large pages', async () => {
    expect(await a.attacked('pages')).to.have.property('200');
  });

  it('H1: requested pages that are never read', async () => {
    await a.attacked('unread');
  });

  it('H2: beginnings of small bodies that would decompress to much data', async () => {
    expect(await a.attacked('brotli')).to.have.property('415');
  });

  it('H2: bodies just below the limit that never end', async () => {
    expect(await a.attacked('bodies')).to.have.property('429');
  });

  it('N2: unfinished bodies of one address, while another user writes', async () => {
    const statuses: number[] = [];
    const meanwhile = async () => {
      for (let turn = 0; turn < 10; turn++)
        statuses.push((await a.as('client_admin', '/address-book', AN_ADDRESS)).status);
    };
    const answers = await a.attacked('graphql-bodies', { meanwhile });
    expect(statuses, 'of the other user').to.deep.equal(Array.from({ length: statuses.length }, () => 201));
    expect(answers).to.have.property('429');
    expect(answers).to.not.have.property('500');
  });

  it('N3: loops of introspection with aliases and without', async () => {
    for (const status of Object.keys(await a.attacked('introspection')))
      expect(status).to.be.oneOf(['200', '400', '429']);
  });

  it('M3: 600 sign-ins at once, while another user signs in', async () => {
    const honest: number[] = [];
    const signInMeanwhile = async () => {
      const began = performance.now();
      await a.signIn();
      honest.push(performance.now() - began);
    };
    await a.attacked('sign-ins', { meanwhile: signInMeanwhile, load: 'crowd' });
    a.figures.add({ name: 'honest sign-in meanwhile', value: Math.min(...honest), unit: 'ms', limit: SIGNED_IN_MS });
  });

  it('M5: clients that register themselves', async () => {
    await a.attacked('registrations');
    expect(await stored('Client'), 'kept').to.be.within(1, 60);
  });

  it('M5: sign-ins of agents that are never completed', async () => {
    await a.attacked('authorizations');
    expect(await stored('Interaction'), 'kept').to.be.within(1, 600);
    expect(await stored('Session'), 'kept').to.equal(0);
  });

  it('M6: streams from a hundred addresses, while a signed-in user follows a parcel', async () => {
    const follow = async () => {
      const stream = await openStream(
        `${a.service.url}/api/graphql`,
        { authorization: `Bearer ${await a.signIn()}` },
        { query: `subscription { trackingEvents(trackingNumber: "${a.demo.trackings[0]!}") { statusCode } }` },
      );
      expect(stream.status).to.equal(200);
      stream.close();
    };
    await a.attacked('streams', { meanwhile: follow });
  });
});

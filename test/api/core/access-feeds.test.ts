/** Every feed in every role, on the caller's own and on other objects, over REST and GraphQL (C2, G7). */
import { expect } from 'chai';
import { EVERYBODY, type CallerKind } from '../../../src/api/core/callers.js';
import type { Feed } from '../../../src/api/core/feed.js';
import { describeFeeds } from '../../../src/compose/describe-operations.js';
import { sourceOfOperation, sourceOfRow } from '../../support/checks/source-locations.js';
import { FEEDS } from '../../support/access/feeds.js';
import type { Input } from '../../support/access/table.js';
import { openWorld, type World } from '../../support/access/world.js';
import { toCamelCase } from '../../support/clients/rest-and-graphql.js';
import { openStream } from '../../support/clients/sse.js';

describe('access to feeds (C2)', () => {
  const feeds = describeFeeds();
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(() => world?.stop());

  const bearer = (key: string | undefined): Record<string, string> =>
    key === undefined ? {} : { authorization: `Bearer ${key}` };
  /** The status of the response; an open stream is closed again. */
  async function overRest({ path }: Feed, input: Input, key: string | undefined): Promise<number> {
    const filled = path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(String(input[name])));
    const stream = await openStream(`${world.test.url}/api${filled}`, bearer(key));
    stream.close();
    return stream.status;
  }
  /** The status of the error with which a subscription begins. */
  async function refusedOverGraphQL({ name }: Feed, input: Input, key: string | undefined): Promise<number> {
    const named = Object.entries(input).map(([member, value]) => `${toCamelCase(member)}: ${JSON.stringify(value)}`);
    const query = `subscription { ${name}${named.length > 0 ? `(${named.join(', ')})` : ''} { __typename } }`;
    const stream = await openStream(`${world.test.url}/api/graphql`, bearer(key), { query });
    const first = await stream.next();
    stream.close();
    return first!.data.errors[0].extensions.status as number;
  }
  const refusal = (role: CallerKind, finds: readonly CallerKind[] = []) =>
    finds.includes(role) ? 404 : role === 'anonymous' ? 401 : 403;

  it('every feed has a row, and every row a feed', () => {
    const names = feeds.map(({ name }) => name);
    const FILE = 'test/support/access/feeds.ts';
    const wrong = [
      ...names
        .filter((name) => !FEEDS[name])
        .map(
          (name) =>
            `${sourceOfOperation(name)}: the feed ${name} has no row. Add \`${name}: { roles: [...], own: ..., foreign: ... },\` to ${FILE}`,
        ),
      ...Object.keys(FEEDS)
        .filter((name) => !names.includes(name))
        .map((name) => `${sourceOfRow(name)}: no feed is named ${name}. Remove or rename its row`),
      ...Object.entries(FEEDS)
        .filter(([, { foreign, shared }]) => Boolean(foreign) === Boolean(shared))
        .map(([name]) => `${sourceOfRow(name)}: the row ${name} must have either foreign or shared`),
    ];
    expect(wrong, wrong.join('\n')).to.deep.equal([]);
  });

  for (const feed of feeds) {
    const row = FEEDS[feed.name];
    if (!row) continue;

    describe(feed.name, () => {
      it('opens only for permitted callers', async () => {
        const somebodys = await row.own(world, row.roles[0]!);
        for (const role of EVERYBODY) {
          const key = await world.keyOf(role);
          if (row.roles.includes(role)) {
            expect(await overRest(feed, await row.own(world, role), key), role).to.equal(200);
            continue;
          }
          expect(await overRest(feed, somebodys, key), role).to.equal(refusal(role, row.notFoundFor));
          expect(await refusedOverGraphQL(feed, somebodys, key), role).to.equal(refusal(role, row.notFoundFor));
        }
      });

      [row.foreign ?? []].flat().forEach((foreign, index) => {
        it(`has nothing of other businesses (${index + 1})`, async () => {
          for (const role of row.roles) {
            const [input, key] = [await foreign.input(world, role), await world.keyOf(role)];
            const statuses = [await overRest(feed, input, key), await refusedOverGraphQL(feed, input, key)];
            expect(statuses, role).to.deep.equal([404, 404]);
          }
        });
      });

      it('needs the scopes of its row', async () => {
        expect([...(feed.scopes ?? [])].sort()).to.deep.equal([...(row.scopes ?? [])].sort());
        for (const role of row.scopes ? row.roles : []) {
          const body = { name: 'narrow', scopes: ['datasets:read'] };
          const made = await world.test.api('/api-keys', { key: await world.keyOf(role), body });
          expect(made.status, made.text).to.equal(201);
          const input = await row.own(world, role);
          const key = made.json.secret as string;
          expect([await overRest(feed, input, key), await refusedOverGraphQL(feed, input, key)]).to.deep.equal([
            403, 403,
          ]);
        }
      });
    });
  }
});

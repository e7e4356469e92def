/**
 * GU3: no response depends on members that its caller may not read. For each kind of caller, every read operation,
 * export, tool and feed of the registry is asked with generated searches, filters and sort orders, twice: the members
 * that are hidden from the caller have other values the second time. All responses must be equal.
 *
 * A new operation is covered by its row of the access table; a new resource needs a row in
 * test/support/access/hidden/world.ts.
 */
import { expect } from 'chai';
import type { GraphQLSchema } from 'graphql';
import { createSchema } from '../../../../src/api/graphql/schema.js';
import type { Operation } from '../../../../src/api/core/operation.js';
import { clientInput } from '../../../../src/api/areas/alliances/grantee.js';
import { createCatalogue } from '../../../../src/api/mcp/catalogue.js';
import type { Tool } from '../../../../src/api/mcp/tool.js';
import { AREA_TOOLS, PROJECTIONS } from '../../../../src/areas/index.js';
import { describeFeeds, describeOperations } from '../../../../src/compose/describe-operations.js';
import { FEEDS } from '../feeds.js';
import { probesOf } from './probes.js';
import { AUDIENCES, expectRows, openHiddenWorld, roleOf, type Audience, type HiddenWorld } from './world.js';
import { ACCESS, type Input } from '../table.js';
import { openWorld, type World } from '../world.js';
import { expectCaughtUp } from '../../checks/caught-up.js';
import { callTool } from '../../clients/mcp.js';
import { overGraphQL, overRest } from '../../clients/rest-and-graphql.js';
import { openStream } from '../../clients/sse.js';
import { waitForJob } from '../../eventually.js';
import { isFullDepth } from '../../depth.js';

/** The two values of the members that are hidden from a caller. Other callers have others, because they may see these. */
const valuesOf = (audience: Audience) => {
  const number = AUDIENCES.indexOf(audience as (typeof AUDIENCES)[number]);
  return [`Zebra X7Q9KLMN448${number}`, `Quokka W3T6PRV917${number}`] as const;
};

/** Reads that are not compared, with the reason. */
const NOT_COMPARED: Readonly<Record<string, string>> = {
  recordHistory: 'lists every change, and the test changes the record; its values are those of the operation `record`',
  jobs: 'lists the exports that the test itself starts',
  orderLabel: 'each label has a new number',
  routeLabels: 'each label has a new number',
};
/** Operations that show all events of the business to its auditors, including earlier values of hidden columns. */
const AUDIT = /^audit/;
/** Members that show that an object was changed, when and how often, but no content. */
const CHANGE_MARKS: ReadonlySet<string> = new Set([
  ...[
    'version',
    'updated_at',
    'updatedAt',
    'updated_by',
    'event_position',
    'creationDate',
    'recorded_at',
    'request_id',
  ],
  ...['progress', 'started_at', 'startedAt', 'finished_at', 'finishedAt', 'expires_at', 'next_cursor', 'nextCursor'],
]);

interface Probe {
  readonly name: string;
  readonly ask: () => Promise<string>;
}

const withoutMarks = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !CHANGE_MARKS.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutMarks(member)]));
};
/** Ids of rates change each minute. */
const contentOf = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(withoutMarks(value)))
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, '<time>')
    .replace(/rt_[a-z2-7]{26}/g, '<rate>');

/** The arguments of a tool for an input of its operation; undefined: the tool does not offer all of them. */
function argumentsOf({ input: { shape } }: Tool, input: Input): Input | undefined {
  if (Object.keys(input).some((member) => !(member in shape))) return undefined;
  return { ...input, ...('fields' in shape && { fields: '*' }) };
}

/** Number of test files among which the callers are divided to run in parallel. Each file opens a separate world. */
const PARTS = 2;
/** At sampled depth: a caller of each kind of limits. */
const SAMPLED: readonly Audience[] = ['partner', 'employee', 'driver', 'customer'];

/** Declares the tests of one part of all callers: 0 or 1. */
export function testHiddenMembers(part: number): void {
  const operations = describeOperations();
  const reads = operations.filter(
    ({ name, writes, canonical }) => !writes && canonical === undefined && !AUDIT.test(name) && !(name in NOT_COMPARED),
  );
  const exports = operations.filter(({ name, writes }) => writes && name.endsWith('Export'));
  const toolOf = new Map(
    createCatalogue({ operations, added: AREA_TOOLS })
      .tools('operations')
      .filter(({ operation }) => !operation.writes)
      .map((tool) => [tool.operation.name, tool]),
  );
  let world: World;
  let w: HiddenWorld;
  let schema: GraphQLSchema;
  before(async () => {
    schema = createSchema(operations, []);
    world = await openWorld();
    w = await openHiddenWorld(world);
    expectRows(w);
  });
  after(() => world?.stop());

  const caughtUp = () =>
    expectCaughtUp(world.test.service, [
      ...PROJECTIONS.map(({ name }) => name),
      'dataset_search',
      'order_search',
      'address_search',
    ]);
  const isGrantable = ({ input }: Operation) => input.shape['business_id'] === clientInput.business_id;

  /** An input of the access table, about the objects with hidden members; undefined: the audience may not call. */
  async function baseOf(operation: Operation, audience: Audience): Promise<Input | undefined> {
    const row = ACCESS[operation.name];
    const role = roleOf(audience);
    if (!row?.roles.includes(role) || (audience === 'partner' && !isGrantable(operation))) return undefined;
    const input: Record<string, unknown> = audience === 'partner' ? {} : { ...(await row.own(world, role)) };
    for (const [member, id] of Object.entries(w.ids)) if (member in operation.input.shape) input[member] = id;
    return { ...input, ...(audience === 'partner' && { business_id: w.giver }) };
  }

  async function probesFor(audience: Audience): Promise<Probe[]> {
    const key = await w.keyOf(audience);
    const probes: Probe[] = [];
    for (const [turn, operation] of [...reads, ...exports].entries()) {
      const base = await baseOf(operation, audience);
      if (!base) continue;
      const { restOnly } = ACCESS[operation.name]!;
      for (const [index, input] of probesOf(operation, base, valuesOf(audience)).entries()) {
        const name = `${operation.name} ${JSON.stringify(input)}`;
        const rest = async () => {
          const { status, body, text } = await overRest(world.test.url, operation, input, key);
          const exported = operation.writes && status < 300 ? await artifactOf(body, key) : '';
          return `${status} ${contentOf(operation.writes ? exported : typeof body === 'string' ? text : body)}`;
        };
        const graphql = async () => {
          const { status, body, text } = await overGraphQL(world.test.url, schema, operation, input, key);
          return `${status} ${contentOf(body ?? text)}`;
        };
        const ways: Probe[] = [{ name: `${name} over REST`, ask: rest }];
        if (!restOnly && !operation.writes) ways.push({ name: `${name} over GraphQL`, ask: graphql });
        const tool = toolOf.get(operation.name);
        const args = tool && argumentsOf(tool, input);
        if (args && key !== undefined && audience !== 'provider')
          ways.push({
            name: `${name} by the tool ${tool.name}`,
            ask: async () => contentOf((await callTool(world.test, tool.name, args, { token: key })).structuredContent),
          });
        probes.push(...(isFullDepth ? ways : [ways[(turn + index) % ways.length]!]));
      }
    }
    return probes;
  }

  /** The file that an export wrote. */
  async function artifactOf(body: unknown, key: string | undefined): Promise<string> {
    const { id } = (body as { job: { id: string } }).job;
    const job = await waitForJob(() => world.test.api(`/jobs/${id}`, { key }));
    const { text } = await world.test.api(`/jobs/${id}/artifacts/${job.artifacts[0].name as string}`, { key });
    // Id, group and version of a record come first.
    return text.replace(/^(\d+),([^,]*),\d+,/gm, '$1,$2,<version>,');
  }

  async function plant(audience: Audience, value: string): Promise<void> {
    for (const { hiddenFrom, set } of w.hidden) if (hiddenFrom.includes(audience)) await set(value);
    await caughtUp();
  }
  async function answersTo(probes: readonly Probe[]): Promise<Map<string, string>> {
    const answers = new Map<string, string>();
    for (const { name, ask } of probes) answers.set(name, await ask());
    return answers;
  }

  const audiences: readonly Audience[] = isFullDepth ? AUDIENCES : SAMPLED;
  for (const audience of audiences.filter((_, index) => index % PARTS === part))
    it(`N5, GU3: no response to ${audience} depends on members that are hidden from ${audience}`, async () => {
      const values = valuesOf(audience);
      const probes = await probesFor(audience);
      expect(probes.length, 'operations that the caller may call').to.be.above(10);
      const feeds = await openFeeds(audience);
      await plant(audience, values[0]);
      const before = await answersTo(probes);
      await plant(audience, values[1]);
      const after = await answersTo(probes);
      const different = [...before].filter(([name, answer]) => after.get(name) !== answer);
      const lines = different.map(([name, answer]) => `${name}\n  ${answer}\n  ${after.get(name)!}`);
      expect(lines, lines.slice(0, 5).join('\n')).to.deep.equal([]);
      // A response to a question without the value does not contain it either.
      for (const [name, answer] of [...before, ...after])
        for (const value of values) if (!name.includes(value.slice(0, 4))) expect(answer, name).to.not.contain(value);
      for (const { name, text } of feeds.close()) for (const value of values) expect(text, name).to.not.contain(value);
    });

  /** Opens every feed that the caller may open, and collects its messages. */
  async function openFeeds(audience: Audience) {
    const open: { readonly name: string; text: string; readonly close: () => void }[] = [];
    for (const { name, path } of audience === 'partner' ? [] : describeFeeds()) {
      const row = FEEDS[name]!;
      if (!row.roles.includes(roleOf(audience))) continue;
      const input = { ...(await row.own(world, roleOf(audience))) };
      const filled = path.replace(/:(\w+)/g, (_all, member: string) => encodeURIComponent(String(input[member])));
      const key = await w.keyOf(audience);
      const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
      const stream = await openStream(`${world.test.url}/api${filled}`, headers);
      expect(stream.status, name).to.equal(200);
      const feed = { name, text: '', close: () => stream.close() };
      void (async () => {
        for (let next = await stream.next(); next; next = await stream.next()) feed.text += JSON.stringify(next);
      })().catch(() => undefined);
      open.push(feed);
    }
    return {
      close: () => {
        for (const { close } of open) close();
        return open;
      },
    };
  }
}

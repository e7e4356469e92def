import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { describeFeeds, describeOperations } from '../../../src/compose/describe-operations.js';
import { TAGS, tagsOf } from '../../../src/api/core/tags.js';
import { openApi } from '../../../src/api/rest/openapi.js';
import {
  violationsOfDocument,
  violationsOfOperations,
  type Violation,
  type StyledOperation,
} from '../../support/checks/api-style.js';

/** Departures that are known, by rule: the list only shrinks. */
const KNOWN = 'test/fixtures/api-style-departures.json';

type Known = Readonly<Record<string, readonly string[]>>;
const placeOf = ({ rule, where }: Violation): string => `${rule} ${where}`;

describe('the style of the API (docs/api-style.md)', () => {
  const operations = describeOperations();

  it('has only the known departures, and each known departure still exists', async () => {
    const document = openApi({ operations, feeds: describeFeeds(), baseUrl: '' });
    const found = [...violationsOfOperations(operations), ...violationsOfDocument(document, operations)];
    const known = JSON.parse(await readFile(KNOWN, 'utf8')) as Known;
    const places = new Set(Object.entries(known).flatMap(([rule, where]) => where.map((one) => `${rule} ${one}`)));
    const added = found.filter((one) => !places.has(placeOf(one))).map((one) => `${placeOf(one)}: ${one.message}`);
    expect(added, `docs/api-style.md explains the rules:\n${added.join('\n')}`).to.deep.equal([]);
    const left = new Set(found.map(placeOf));
    const gone = [...places].filter((place) => !left.has(place));
    expect(gone, `remove them from ${KNOWN}:\n${gone.join('\n')}`).to.deep.equal([]);
  });

  it('groups all operations by 29 tags, each with a description', () => {
    const tags = tagsOf(operations);
    expect(
      tags.filter((tag) => !(tag in TAGS)),
      'add them to src/api/core/tags.ts',
    ).to.deep.equal([]);
    expect(tags).to.deep.equal(Object.keys(TAGS));
    expect(tags).to.have.length(29);
  });

  const operation = (
    name: string,
    method: StyledOperation['rest']['method'],
    path: string,
    more = {},
  ): StyledOperation => ({
    name,
    summary: 'Update a thing',
    writes: method !== 'get',
    rest: { method, path: `/v1/${path}` },
    ...more,
  });
  const rulesOf = (one: StyledOperation): number[] => violationsOfOperations([one]).map(({ rule }) => rule);

  it('finds names, methods and addresses that depart from it', () => {
    expect(rulesOf(operation('thingUpdate', 'patch', 'things/:thing_id'))).to.deep.equal([]);
    expect(rulesOf(operation('thing', 'get', 'things/:thing_id'))).to.deep.equal([]);
    expect(rulesOf(operation('thingHold', 'post', 'things/:thing_id/hold'))).to.deep.equal([]);
    expect(rulesOf(operation('thing', 'get', 'bigThings/:thing_id'))).to.deep.equal([1]);
    expect(rulesOf(operation('thing', 'get', 'thing/:thing_id'))).to.deep.equal([1]);
    expect(rulesOf(operation('thingUpdate', 'put', 'things/:thing_id'))).to.deep.equal([4]);
    expect(rulesOf(operation('thingSet', 'post', 'things/:thing_id'))).to.deep.equal([4]);
    expect(rulesOf(operation('thingHold', 'patch', 'things/:thing_id'))).to.deep.equal([6]);
    expect(rulesOf(operation('thingArchive', 'delete', 'things/:thing_id'))).to.deep.equal([6]);
    expect(rulesOf(operation('thingClose', 'delete', 'things/:thing_id'))).to.deep.equal([6]);
    expect(rulesOf(operation('thingClose', 'post', 'things/:thing_id/end'))).to.deep.equal([6]);
    expect(rulesOf(operation('thingClose', 'post', 'things/:thing_id/close'))).to.deep.equal([]);
    expect(rulesOf(operation('thingsBatch', 'post', 'things/many'))).to.deep.equal([6]);
    expect(rulesOf(operation('thingsSearch', 'get', 'things/find'))).to.deep.equal([6]);
    expect(rulesOf(operation('things', 'get', 'things', { summary: 'Lists the things.' }))).to.deep.equal([0]);
    expect(rulesOf(operation('things', 'get', 'things', { summary: 'T'.repeat(61) }))).to.deep.equal([0]);
  });

  const string = { type: 'string' };
  /** A document of one operation with a response and, where given, a body, a query and components. */
  const found = (
    one: StyledOperation,
    response: object,
    { body, query = [], schemas = {} }: { body?: object; query?: readonly string[]; schemas?: object } = {},
  ): string[] => {
    const json = (schema: object) => ({ content: { 'application/json': { schema } } });
    const described = {
      operationId: one.name,
      parameters: query.map((name) => ({ name })),
      ...(body && { requestBody: json({ type: 'object', properties: body }) }),
      responses: { 200: json({ type: 'object', properties: { result: { type: 'boolean' }, ...response } }) },
    };
    const paths = { '/v1/things': { [one.rest.method]: described } };
    return violationsOfDocument({ paths, components: { schemas } }, [one]).map(placeOf);
  };
  const list = operation('things', 'get', 'things');

  it('finds members and responses that depart from it', () => {
    expect(found(list, { things: { type: 'array', items: { $ref: '#/components/schemas/Thing' } } })).to.deep.equal([]);
    const thing = { Thing: { type: 'object', properties: { thing_id: { type: 'integer' } } } };
    expect(found(list, {}, { schemas: thing })).to.deep.equal(['7 Thing.thing_id']);
    const twice = { position: { type: ['string', 'null'] }, inside: { type: 'object', properties: { position: {} } } };
    expect(found(list, twice)).to.deep.equal([]);
    const mixed = { position: string, inside: { type: 'object', properties: { position: { type: 'object' } } } };
    expect(found(list, mixed)).to.deep.equal(['8 position']);
    const integers = {
      count: { type: 'integer' },
      inside: { type: 'object', properties: { count: { type: 'number' } } },
    };
    expect(found(list, integers), 'an integer is a number').to.deep.equal([]);
    const place = { type: 'object', properties: { street: string, city: string, country: string } };
    const other = { Stop: { type: 'object', properties: { address: place } } };
    expect(found(list, { here: place, there: place }, { schemas: other })).to.deep.equal(['9 city country street']);
    expect(found(list, { made_at: string })).to.deep.equal(['13 things.made_at']);
    expect(found(list, { made_at: { ...string, format: 'date-time' } })).to.deep.equal([]);
    expect(found(list, { max_weight: { type: 'number' } })).to.deep.equal(['15 things.max_weight']);
    expect(found(list, { state: string })).to.deep.equal(['18 things.state']);
    expect(found(list, {}, { query: ['page', 'per_page'] })).to.deep.equal(['20 things']);
    const more = { next_cursor: { type: 'string' } };
    const paged = ['page', 'per_page', 'cursor'];
    expect(found(list, { ...more, total: { type: 'integer' } }, { query: paged })).to.deep.equal([]);
    expect(found(list, { ...more, has_more: { type: 'boolean' } }, { query: ['cursor', 'limit'] })).to.deep.equal([]);
    expect(found(list, more, { query: ['cursor', 'limit'] })).to.deep.equal(['20 things']);
    const hold = operation('thingHold', 'post', 'things/:thing_id/hold');
    expect(found(hold, { thing_id: { type: 'integer' } })).to.deep.equal(['11 thingHold']);
    expect(found({ ...hold, returns: { read: 'thing' } }, {})).to.deep.equal([]);
    expect(found(hold, { thing: { type: 'object' } })).to.deep.equal([]);
    const gone = operation('thingDelete', 'delete', 'things/:thing_id');
    expect(found(gone, {})).to.deep.equal([]);
    expect(found(gone, { thing_id: { type: 'integer' } })).to.deep.equal(['5 thingDelete']);
    expect(found(gone, {}, { body: { reason: string } })).to.deep.equal(['5 thingDelete']);
    const batch = operation('thingsBatch', 'post', 'things/batch', { returns: { read: 'things' } });
    expect(found(batch, {})).to.deep.equal(['26 thingsBatch']);
    expect(found(batch, { results: { type: 'array', items: {} } })).to.deep.equal([]);
  });
});

/**
 * Violations of the API style (docs/api-style.md), found in the registry of operations and in the OpenAPI document that
 * is generated from it. A violation is identified by its rule and its place.
 */
import type { Operation } from '../../../src/api/core/operation.js';

/** The members of an operation that the checks read. */
export type StyledOperation = Pick<Operation, 'name' | 'summary'> &
  Partial<Pick<Operation, 'writes' | 'returns' | 'canonical'>> & {
    readonly rest: Pick<Operation['rest'], 'method' | 'path'>;
  };

type Json = Readonly<Record<string, unknown>>;

export interface Violation {
  /** Number of the violated rule. */
  readonly rule: number;
  /** Name of an operation, `Component.member`, or the name of a member. */
  readonly where: string;
  readonly message: string;
}

/** Paths that the specification or a standard prescribes. */
const FIXED_PATHS =
  /^\/(v1\/(client\/|user\/log|broker-order-assignments|tracking\/|otep\/|wms\/mobile|provider\/|audit\/|api-keys\/:key_id)|v3\/client|ai)/;
/** Departures that are fixed, and by which text. */
const ACCEPTED_VIOLATIONS: Readonly<Record<string, string>> = {
  '7 Rate.rate_id': 'specification 1, Price hiding, and 3: orders name a rate by `rate_id`',
  '8 balance': 'design of wallets: an amount; the planning option of the same name is an object',
  '8 reference': 'design of wallets: the text of a payment; the limit of the same name is a number',
  '11 epcisCapture': 'EPCIS 2.0: a capture is answered 202 with its address (rule 10 exempts standards)',
  '11 userLogin': 'specification 1, Login: the response is the token (rule 10 exempts the login)',
  '11 userLogout': 'the session has ended: there is no resource left (rule 10 exempts the login)',
  '11 mePasswordSet': 'a password is never returned (rule 10 exempts the login)',
  '13 userLogin.expires_at': 'specification 1, Login: `YYYY-MM-DD HH:MM:SS`',
  '26 otepTrackingBatch': 'design of OTEP: `{result, found, not_found, trackings}`',
};
const isUnaccepted = ({ rule, where }: Violation): boolean => !(`${rule} ${where}` in ACCEPTED_VIOLATIONS);

/** Last words of names that rule 6 replaces by Create, Update, Set, Delete, Batch or Search. */
const VERB_NAMES =
  /(Change|Save|Open|Found|Define|Switch|Put|Remove|Archive|Retire|Dissolve|Close|Rename|Add|Bulk|Find)$/;
/**
 * Verbs that end a resource which stays readable, or several resources at once. They are actions (rules 3 and 5), so
 * the path has the same verb.
 */
const ENDINGS = ['Close', 'Dissolve', 'Remove', 'Retire'];
const isEnding = (word: string, method: string, path: string): boolean =>
  ENDINGS.includes(word) && method === 'post' && path.endsWith(`/${word.toLowerCase()}`);

/** The HTTP method that the last word of a name requires (rules 4 and 6). */
const METHODS: Readonly<Record<string, Operation['rest']['method']>> = {
  Create: 'post',
  Update: 'patch',
  Set: 'put',
  Delete: 'delete',
  Batch: 'post',
};
const LAST_WORD = /[A-Z][a-z]+$/;

/** Returns violations of names, methods and paths: rules 1, 3, 4, 5 and 6. */
export function violationsOfOperations(operations: readonly StyledOperation[]): Violation[] {
  return operations.filter(({ canonical }) => canonical === undefined).flatMap((one) => [...violationsOf(one)]);
}

function* violationsOf({
  name,
  summary,
  writes = false,
  rest: { method, path },
}: StyledOperation): Generator<Violation> {
  const isFixed = FIXED_PATHS.test(path);
  for (const segment of path.split('/').slice(2)) {
    if (/^[:*]/.test(segment) || isFixed) continue;
    if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.geojson)?$/.test(segment))
      yield { rule: 1, where: name, message: `${segment} of ${path} is not in kebab-case` };
  }
  const [, collection] = /\/([a-z-]+)\/:\w+$/.exec(path) ?? [];
  if (collection !== undefined && !isFixed && !/(s|-book|-board)$/.test(collection) && method === 'get')
    yield { rule: 1, where: name, message: `${collection} of ${path} is not a plural` };
  const word = LAST_WORD.exec(name)?.[0] ?? '';
  const expected = METHODS[word];
  if (writes && expected !== undefined && expected !== method)
    yield {
      rule: 4,
      where: name,
      message: `${word} requires the method ${expected.toUpperCase()}, not ${method.toUpperCase()}`,
    };
  if (method === 'patch' && word !== 'Update')
    yield { rule: 6, where: name, message: 'an operation with PATCH is named …Update' };
  if (writes && VERB_NAMES.test(name) && !isFixed && !isEnding(word, method, path))
    yield {
      rule: 6,
      where: name,
      message: `${word} is not a word of rule 6: Create, Update, Set, Delete, Batch, Search`,
    };
  if (name.endsWith('Batch') && !path.endsWith('/batch'))
    yield { rule: 6, where: name, message: `the address of a batch ends in /batch: ${path}` };
  if (name.endsWith('Search') && !path.endsWith('/search'))
    yield { rule: 6, where: name, message: `the address of a search ends in /search: ${path}` };
  if (summary.length > 60) yield { rule: 0, where: name, message: 'the summary is longer than 60 characters' };
  if (summary.endsWith('.')) yield { rule: 0, where: name, message: 'the summary ends in a full stop' };
}

/** Names of numbers that do not contain the unit. */
const NO_UNIT =
  /^(max_|min_|total_|gross_)?(weight|volume|length|width|height|seconds|minutes|hours|bytes|metres|kmh|distance|duration|radius|speed)$/;
/** An inline object with at least this many members must have a name. */
const WORTH_A_NAME = 3;

/** Operations after which the caller no longer sees the resource: they return `{"result": true}` (rule 5). */
const LEAVES_NOTHING: ReadonlySet<string> = new Set([
  'allianceLeave',
  'allianceDissolve',
  'thirdPartyDecline',
  'thirdPartyRelease',
]);

/** Returns violations of requests and responses: rules 5, 7, 8, 9, 11, 13, 15, 18, 20 and 26. */
export function violationsOfDocument(document: Json, operations: readonly StyledOperation[]): Violation[] {
  const found: Violation[] = [];
  const types = new Map<string, Set<string>>();
  const inline = new Map<string, Set<string>>();
  const components = (document['components'] as Json | undefined)?.['schemas'] as Json | undefined;
  const byName = new Map(operations.map((one) => [one.name, one]));
  for (const [name, schema] of Object.entries(components ?? {})) {
    const own = `${name.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase()}_id`;
    if (own in propertiesOf(schema as Json))
      found.push({ rule: 7, where: `${name}.${own}`, message: 'the id of the object itself is named `id`' });
    walk(schema as Json, name, true);
  }
  for (const [path, methods] of Object.entries((document['paths'] ?? {}) as Json))
    for (const [method, described] of Object.entries(methods as Json)) {
      const operation = byName.get((described as Json)['operationId'] as string);
      if (operation) ofOperation(operation, path, method, described as Json);
    }
  for (const [member, several] of types)
    if (several.size > 1)
      found.push({ rule: 8, where: member, message: `it has several types: ${[...several].sort().join(', ')}` });
  for (const [shape, places] of inline)
    if (places.size > 1)
      found.push({
        rule: 9,
        where: shape,
        message: `the same shape without a name in ${[...places].sort().join(', ')}`,
      });
  return found.filter(isUnaccepted);

  function ofOperation(
    { name, writes, returns }: StyledOperation,
    path: string,
    method: string,
    described: Json,
  ): void {
    const request = schemaOf((described['requestBody'] as Json | undefined)?.['content']);
    const responses = (described['responses'] ?? {}) as Json;
    const good = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1] as Json | undefined;
    const response = schemaOf(good?.['content']);
    if (request) walk(request, name, false);
    if (response) walk(response, name, false);
    if (method === 'delete' && request) found.push({ rule: 5, where: name, message: 'DELETE has no body' });
    const members = propertiesOf(resolved(response));
    const names = Object.keys(members).filter((member) => member !== 'result');
    const hasResource = names.some((member) => ['object', 'array'].includes(typeOf(members[member] as Json)));
    if (writes && method !== 'delete' && !returns && !hasResource && !LEAVES_NOTHING.has(name))
      found.push({ rule: 11, where: name, message: 'it does not return the changed resource' });
    if (method === 'delete' && names.length > 0)
      found.push({ rule: 5, where: name, message: 'DELETE returns {"result": true} alone' });
    if (name.endsWith('Batch') && !('results' in members))
      found.push({ rule: 26, where: name, message: 'a batch returns `results`' });
    const parameterNames = ((described['parameters'] ?? []) as { readonly name: string }[]).map((one) => one.name);
    if (parameterNames.includes('per_page') && !parameterNames.includes('cursor'))
      found.push({ rule: 20, where: name, message: `a list takes \`cursor\`: ${path}` });
    if (
      parameterNames.includes('cursor') &&
      !('next_cursor' in members && ('total' in members || 'has_more' in members))
    )
      found.push({
        rule: 20,
        where: name,
        message: 'with `cursor` it returns `next_cursor`, and `total` or `has_more`',
      });
  }

  function walk(schema: Json, place: string, isNamed: boolean): void {
    const properties = propertiesOf(schema);
    const names = Object.keys(properties).sort();
    if (!isNamed && names.length >= WORTH_A_NAME && !names.includes('result')) {
      const shape = names.join(' ');
      inline.set(shape, (inline.get(shape) ?? new Set()).add(place));
    }
    for (const name of names) ofMember(name, properties[name] as Json, place);
    for (const part of partsOf(schema)) walk(part, place, false);
  }

  function ofMember(name: string, schema: Json, place: string): void {
    const plain = resolved(schema);
    const type = typeOf(plain);
    if (type !== '') types.set(name, (types.get(name) ?? new Set()).add(type));
    const where = `${place}.${name}`;
    if (name.endsWith('_at') && type === 'string' && formatOf(plain) !== 'date-time')
      found.push({ rule: 13, where, message: 'an instant has the format date-time' });
    if (type === 'number' && NO_UNIT.test(name))
      found.push({ rule: 15, where, message: 'its name does not contain a unit' });
    if (name === 'state') found.push({ rule: 18, where, message: 'the state of a resource is named `status`' });
    walk(schema, place, false);
  }

  function resolved(schema: Json | undefined): Json {
    const reference = schema?.['$ref'];
    if (typeof reference !== 'string') return schema ?? {};
    return (components?.[reference.slice(reference.lastIndexOf('/') + 1)] ?? {}) as Json;
  }

  function formatOf(schema: Json): unknown {
    return (
      schema['format'] ??
      alternativesOf(schema)
        .map(formatOf)
        .find((one) => one !== undefined)
    );
  }

  /**
   * Returns the type of a schema. Null is ignored among alternatives, and integers count as numbers. An empty text
   * means any type.
   */
  function typeOf(schema: Json): string {
    const plain = resolved(schema);
    const own = plain['type'];
    const known = (Array.isArray(own) ? own : [own]).filter((one) => typeof one === 'string' && one !== 'null');
    if (known.length > 0) return known[0] === 'integer' ? 'number' : (known[0] as string);
    const among = alternativesOf(plain)
      .map(typeOf)
      .filter((one) => one !== '' && one !== 'null');
    return among[0] ?? '';
  }
}

const alternativesOf = (schema: Json): Json[] => ['anyOf', 'oneOf'].flatMap((kind) => (schema[kind] ?? []) as Json[]);
const propertiesOf = (schema: Json): Json => (schema['properties'] ?? {}) as Json;
/** Returns the schemas inside a schema that are not its members. */
const partsOf = (schema: Json): Json[] =>
  [
    schema['items'],
    schema['additionalProperties'],
    ...alternativesOf(schema),
    ...((schema['allOf'] ?? []) as Json[]),
  ].filter((part): part is Json => typeof part === 'object' && part !== null);
const schemaOf = (content: unknown): Json | undefined =>
  ((content as Json | undefined)?.['application/json'] as Json | undefined)?.['schema'] as Json | undefined;

/** `/api/graphql`: calls, errors, limits and HTTP. */
import { expect } from 'chai';
import fc from 'fast-check';
import { serverAudits } from 'graphql-http';
import { graphql, graphqlRaw } from '../../support/clients/graphql.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns } from '../../support/worlds/users.js';
import { runs } from '../../support/depth.js';

describe('GraphQL', () => {
  let test: TestService;
  let token: ReturnType<typeof signIns>;

  before(async () => {
    test = await startTestService();
    token = signIns(test);
  });
  after(() => test.stop());

  const ask = (query: string, options?: Parameters<typeof graphql>[2]) => graphql(test.url, query, options);
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const codes = (errors: readonly any[] | undefined) => (errors ?? []).map(({ extensions }) => extensions.code);

  describe('calls', () => {
    it('returns the requested fields of a query, by their camelCase names', async () => {
      const { status, data, errors } = await ask('{ me { result user { id businessId role timezone } } }', {
        key: await token('client_admin'),
      });
      expect(errors).to.equal(undefined);
      expect(status).to.equal(200);
      expect(data.me.user.timezone).to.equal('Europe/Berlin');
      expect(data.me.user).to.deep.equal({
        id: test.demo.users.client_admin.id,
        businessId: data.me.user.businessId,
        role: 'client_admin',
        timezone: 'Europe/Berlin',
      });
      expect(data.me.user.businessId).to.be.a('number');
    });

    it('accepts variables, Int for safe integer ids, and null as absent', async () => {
      const { data, errors } = await ask(
        'query ($id: Int!, $page: Int, $role: String) { user(userId: $id) { user { id } } users(page: $page, role: $role) { page perPage } }',
        { key: await token('client_admin'), variables: { id: test.demo.users.employee.id, page: null, role: null } },
      );
      expect(errors).to.equal(undefined);
      expect(data).to.deep.equal({
        user: { user: { id: test.demo.users.employee.id } },
        users: { page: 1, perPage: 50 },
      });
    });

    it('returns integers beyond 32 bits', async () => {
      const { email, password } = test.demo.users.driver;
      const { data } = await ask(
        'mutation ($email: String!, $password: String!) { userLogin(email: $email, password: $password) { accessToken expiresTimestamp } }',
        { variables: { email, password } },
      );
      expect(data.userLogin.expiresTimestamp).to.be.greaterThan(1e9);
      expect(data.userLogin.accessToken).to.be.a('string');
    });

    it('returns the position of a write, and a read with it sees the write', async () => {
      const number = newNumber();
      const pushed = await ask('mutation ($document: JSON!) { otepIngest(document: $document) { accepted } }', {
        key: test.demo.provider.key,
        variables: { document: timelineOf(number, [event('picked_up')]) },
      });
      expect(pushed.errors).to.equal(undefined);
      expect(pushed.data.otepIngest.accepted).to.equal(1);
      expect(pushed.extensions.position).to.match(/\S/);
      const read = await ask('query ($n: String!) { otepTracking(trackingNumber: $n) }', {
        variables: { n: number },
        headers: { 'x-event-position': pushed.extensions.position },
      });
      expect(read.data.otepTracking.current_status).to.equal('picked_up');
    });

    it('changes nothing twice for one Idempotency-Key, which applies to each field separately', async () => {
      const key = await token('client_admin');
      const mutation =
        'mutation { a: apiKeyCreate(name: "one") { apiKey { id } } b: apiKeyCreate(name: "two") { apiKey { id } } }';
      const headers = { 'idempotency-key': 'graphql-two-keys' };
      const first = await ask(mutation, { key, headers });
      const again = await ask(mutation, { key, headers });
      expect(first.errors).to.equal(undefined);
      expect(first.data.a.apiKey.id).to.not.equal(first.data.b.apiKey.id);
      expect(again.data).to.deep.equal(first.data);
      expect(again.extensions).to.deep.equal(first.extensions);
      const other = await ask(
        'mutation { a: apiKeyCreate(name: "three") { apiKey { id } } b: apiKeyCreate(name: "two") { apiKey { id } } }',
        { key, headers },
      );
      expect(codes(other.errors)).to.deep.equal(['IDEMPOTENCY_KEY_REUSED']);
      expect(other.data.b).to.deep.equal(first.data.b);
    });

    it('makes two commands of two fields without a key', async () => {
      const { data, errors } = await ask(
        'mutation { a: apiKeyCreate(name: "one") { apiKey { id } } b: apiKeyCreate(name: "one") { apiKey { id } } }',
        { key: await token('employee') },
      );
      expect(errors).to.equal(undefined);
      expect(data.a.apiKey.id).to.not.equal(data.b.apiKey.id);
    });

    it('reports a failed field next to successful ones', async () => {
      const { status, data, errors } = await ask(
        '{ otepFormats { result } missing: otepTracking(trackingNumber: "NOSUCHNUMBER") }',
      );
      expect(status).to.equal(200);
      expect(data).to.deep.equal({ otepFormats: { result: true }, missing: null });
      expect(errors).to.have.length(1);
      expect(errors![0].path).to.deep.equal(['missing']);
      expect(errors![0].extensions).to.include({ code: 'TRACKING_NOT_FOUND', status: 404 });
      expect(errors![0].extensions.errors[0]).to.include({ field: 'trackingNumber', path: '/trackingNumber' });
    });
  });

  describe('errors', () => {
    const LANGUAGES = ['en', 'fr', 'de', 'es', 'zh-Hans', 'zh-Hant'];

    it('names the invalid argument in six languages, found by the schema or the operation', async () => {
      const key = await token('client_admin');
      const found: Record<string, Set<string>> = {};
      for (const language of LANGUAGES) {
        for (const [query, field, code] of [
          ['{ users(perPage: 201) { total } }', 'perPage', 'TOO_BIG'],
          ['{ users(role: "pilot") { total } }', 'role', 'INVALID_VALUE'],
          ['{ users(page: "one") { total } }', 'page', 'INVALID_TYPE'],
          ['{ user { user { id } } }', 'userId', 'REQUIRED'],
          ['query ($id: Int!) { user(userId: $id) { result } }', 'userId', 'REQUIRED'],
          [
            'mutation { userCreate(email: "x", password: "123456789012", name: "n", role: "driver") { result } }',
            'email',
            'INVALID_FORM',
          ],
        ] as const) {
          const { errors } = await ask(query, { key, headers: { 'accept-language': language } });
          expect(codes(errors), query).to.deep.equal(['INVALID_INPUT']);
          const [error] = errors!;
          expect(error.extensions.status).to.equal(400);
          expect(error.extensions.errors, query).to.have.length(1);
          expect(error.extensions.errors[0]).to.include({ field, path: `/${field}`, code });
          (found[query] ??= new Set()).add(error.extensions.errors[0].message);
          (found['top'] ??= new Set()).add(error.message);
        }
        const { status, errors } = await ask('{ nothing }', { headers: { 'accept-language': language } });
        expect(status).to.equal(400);
        expect(codes(errors)).to.deep.equal(['GRAPHQL_INVALID']);
        (found['document'] ??= new Set()).add(errors![0].message);
      }
      for (const [what, texts] of Object.entries(found)) expect(texts.size, what).to.be.at.least(LANGUAGES.length - 1); // Some texts are equal in both scripts of Chinese.
    });

    it('rejects an invalid key with 401, and a forbidden operation in its field', async () => {
      const wrong = await ask('{ me { result } }', { key: 'nonsense' });
      expect(wrong.status).to.equal(401);
      expect(codes(wrong.errors)).to.deep.equal(['UNAUTHENTICATED']);
      const anonymous = await ask('{ me { result } }');
      expect(anonymous.errors![0].extensions).to.include({ code: 'UNAUTHENTICATED', status: 401 });
      const driver = await ask('{ users { total } }', { key: await token('driver') });
      expect(driver.errors![0].extensions).to.include({ code: 'FORBIDDEN', status: 403 });
    });

    it('returns when to retry', async () => {
      const limited = await startTestService({
        databaseUrl: test.databaseUrl,
        seed: false,
        env: { RATE_LIMIT_READ: '1', ROLES: 'api' },
      });
      try {
        const answers = await Promise.all(
          Array.from({ length: 5 }, () =>
            graphql(limited.url, '{ a: otepFormats { result } b: otepFormats { result } }'),
          ),
        );
        const refused = answers.flatMap(({ errors }) => errors ?? []);
        expect(refused.length).to.be.greaterThan(0);
        for (const { extensions } of refused)
          expect(extensions).to.include({ code: 'RATE_LIMITED', status: 429, retryAfter: 1 });
        const introspection = await Promise.all(
          Array.from({ length: 5 }, () => graphql(limited.url, '{ __typename }')),
        );
        expect(introspection.map(({ status }) => status)).to.include(429);
        const invalid = await Promise.all(Array.from({ length: 5 }, () => graphql(limited.url, '{')));
        expect(invalid.map(({ status }) => status)).to.include(429);
      } finally {
        await limited.stop();
      }
    });

    it('rejects text that cannot be stored, in any notation', async () => {
      for (const query of [
        '{ otepTracking(trackingNumber: "a\\u0000b") }',
        '{ otepTracking(trackingNumber: "\\uD800") }',
      ]) {
        const { errors } = await ask(query);
        expect(codes(errors)[0], query).to.be.oneOf(['INVALID_ENCODING', 'GRAPHQL_INVALID']);
      }
      const deep = await ask(`{ otepValidate(document: ${'['.repeat(60)}1${']'.repeat(60)}) { level } }`);
      expect(codes(deep.errors)).to.deep.equal(['TOO_DEEP']);
    });
  });

  describe('limits', () => {
    const refusedFor = async (query: string, limit: string) => {
      const { status, errors } = await ask(query);
      expect(status, query.slice(0, 80)).to.equal(400);
      expect(codes(errors)).to.deep.equal(['QUERY_TOO_COMPLEX']);
      expect(errors![0].message).to.contain(limit);
    };
    const many = (count: number, make: (index: number) => string) =>
      Array.from({ length: count }, (_, index) => make(index)).join(' ');

    it('bounds tokens', () => refusedFor(`{ otepFormats { result } ${many(6_000, () => ',__typename')} }`, 'tokens'));
    it('bounds root fields', () => refusedFor(`{ ${many(11, () => 'otepFormats { result }')} }`, 'root_fields'));
    it('bounds aliases', () =>
      refusedFor(`{ otepFormats { ${many(21, (index) => `a${index}: result`)} } }`, 'aliases'));
    it('bounds directives', () =>
      refusedFor(`{ otepFormats { result ${many(21, () => '@include(if: true)')} } }`, 'directives'));
    it('bounds depth', () =>
      refusedFor(`{ otepFormats ${'{ formats '.repeat(11)} { name } ${'}'.repeat(11)} }`, 'depth'));
    it('bounds the depth of introspection', () =>
      refusedFor(`{ __schema { types ${'{ ofType '.repeat(20)} { name } ${'}'.repeat(20)} } }`, 'introspection_depth'));
    it('bounds fields times list sizes', () =>
      refusedFor(
        `{ ${many(9, (index) => `a${index}: users(perPage: 200) { users { ${many(60, () => 'name')} } }`)} }`,
        'cost',
      ));
    it('bounds fragments that multiply or are circular', async () => {
      const bomb = many(16, (index) => `fragment f${index} on OtepFormatsAnswer { ...f${index + 1} ...f${index + 1} }`);
      await refusedFor(`{ otepFormats { ...f0 } } ${bomb} fragment f16 on OtepFormatsAnswer { result }`, 'cost');
      await refusedFor('{ otepFormats { ...f } } fragment f on OtepFormatsAnswer { result ...f }', 'fragment_depth');
    });
    it('bounds the body', async () => {
      const { status, errors } = await ask(`{ otepFormats { result } } #${'x'.repeat(1_100_000)}`);
      expect(status).to.equal(413);
      expect(codes(errors)).to.deep.equal(['BODY_TOO_LARGE']);
    });
    it('bounds circular introspection', async () => {
      const { status } = await ask(
        '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
      );
      expect(status).to.equal(400);
    });
    it('allows the introspection of common tools', async () => {
      const { getIntrospectionQuery, buildClientSchema } = await import('graphql');
      const { data, errors } = await ask(getIntrospectionQuery());
      expect(errors).to.equal(undefined);
      expect(buildClientSchema(data).getQueryType()!.getFields()).to.have.property('otepTracking');
    });
  });

  describe('HTTP', () => {
    it('follows every MUST of GraphQL over HTTP', async () => {
      const failed: string[] = [];
      for (const audit of serverAudits({ url: () => `${test.url}/api/graphql` })) {
        const result = await audit.fn();
        if (result.status === 'error') failed.push(`${audit.id} ${audit.name}: ${result.reason}`);
      }
      expect(failed).to.deep.equal([]);
    });

    it('rejects batches, GET and other media types', async () => {
      const batch = await graphqlRaw(test.url, JSON.stringify([{ query: '{ __typename }' }]));
      expect(batch.status).to.equal(400);
      expect(batch.errors![0].extensions.errors[0]).to.include({ field: 'body', code: 'INVALID_TYPE' });
      const get = await fetch(`${test.url}/api/graphql?query={__typename}`, {
        headers: { accept: 'application/json' },
      });
      expect(get.status).to.equal(405);
      expect(get.headers.get('allow')).to.equal('POST');
      const form = await graphqlRaw(test.url, 'query={__typename}', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      expect(form.status).to.equal(415);
    });

    it('returns 400 for malformed JSON', async () => {
      for (const body of [
        '',
        '{',
        'null',
        '1',
        '{"query":1}',
        '{"query":""}',
        '{"query":"{ __typename }","variables":[]}',
        '{"query":"{ __typename }","operationName":"other"}',
      ])
        expect((await graphqlRaw(test.url, body)).status, body).to.equal(400);
      expect((await graphqlRaw(test.url, Buffer.from([0x7b, 0xff, 0x7d]))).status).to.equal(400);
    });

    it('never fails with an internal error, however broken the document', async () => {
      const words = [
        '{',
        '}',
        '(',
        ')',
        '[',
        ']',
        ':',
        '!',
        '$n',
        '@include(if: true)',
        '...',
        '... on Query',
        'query',
        'mutation',
        'subscription',
        'fragment f on Query',
        '...f',
        'otepTracking',
        'otepTrackingBatch',
        'trackingNumber:',
        'trackingNumbers:',
        'document:',
        'otepValidate',
        '"DEMO0000001"',
        '"\\u0000"',
        '"""',
        '-0',
        '1e400',
        '99999999999999999999',
        'null',
        'true',
        '{a: [1, null]}',
        '__typename',
        '__schema',
        '__type(name: "Query")',
        'level',
        'userLogin(email: "a", password: "b")',
        '#',
        '\ud800',
      ];
      const value = fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom('\u0000', 2 ** 53, '__proto__'));
      const field = fc
        .tuple(
          fc.constantFrom(
            'otepTracking(trackingNumber: $v)',
            'otepValidate(document: $v) { level }',
            'otepTrackingBatch(trackingNumbers: $v) { found }',
            'otepTrackingEvents(trackingNumber: "DEMO0000001", after: $v) { revision }',
          ),
          fc.constantFrom('JSON', 'String', 'String!', '[String!]!', 'Int', 'SafeInt', 'JSON!', 'Nothing'),
        )
        .map(([use, type]) => `query ($v: ${type}) { ${use} }`);
      const query = fc.oneof(
        fc.array(fc.constantFrom(...words), { maxLength: 30 }).map((chosen) => chosen.join(' ')),
        fc
          .array(fc.constantFrom(...words), { maxLength: 8 })
          .map((chosen) => `{ otepFormats { result } ${chosen.join(' ')} }`),
        field,
        fc.string({ unit: 'binary', maxLength: 60 }),
      );
      await fc.assert(
        fc.asyncProperty(query, value, async (document, v) => {
          const { status, errors } = await graphqlRaw(test.url, JSON.stringify({ query: document, variables: { v } }));
          expect(status, document).to.be.below(500);
          for (const { extensions } of errors ?? [])
            expect(extensions.status, `${document} ${JSON.stringify(v)}`).to.be.below(500);
        }),
        { numRuns: runs(400) },
      );
    });

    it('shows browsers a page outside production, with a policy that allows only scripts of this origin', async () => {
      const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
      const page = await fetch(`${test.url}/api/graphql`, { headers: html });
      expect(page.status).to.equal(200);
      expect(page.headers.get('content-security-policy'))
        .to.contain("script-src 'self';")
        .and.contain("connect-src 'self';")
        .and.not.contain('unsafe-eval');
      const text = await page.text();
      for (const [, address] of text.matchAll(/(?:src|href|data-\w+)="([^"]+)"/g)) {
        if (address === 'data:,' || !address!.includes('/assets/')) continue;
        expect(address).to.match(/^\/api\/graphql\//);
        expect((await fetch(`${test.url}${address}`)).status, address).to.equal(200);
      }
      const production = await startTestService({
        databaseUrl: test.databaseUrl,
        seed: false,
        env: { NODE_ENV: 'production', ROLES: 'api' },
      });
      try {
        expect((await fetch(`${production.url}/api/graphql`, { headers: html })).status).to.equal(405);
        expect((await fetch(`${production.url}/api/graphql/assets/start.js`)).status).to.equal(404);
        expect((await graphql(production.url, '{ __typename }')).data).to.deep.equal({ __typename: 'Query' });
      } finally {
        await production.stop();
      }
    });
  });
});

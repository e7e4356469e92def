/** Requests of clients and browsers to the authorization server, and to pages and documents outside the operations. */
import type { Random } from './random.js';
import { generate, type Schema } from './generate.js';
import { oddValue, mutate, type Json } from './unusual-values.js';
import { bodyOf, inAddress, oddHeaders, packed, type RequestGenerator } from './request.js';

const text = (...values: readonly string[]): Schema => ({ enum: values });
const list = (items: Schema): Schema => ({ type: 'array', items, minItems: 1, maxItems: 12 });
const object = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((_name, index) => index < 3),
});
const redirect = text(
  'http://127.0.0.1:51234/callback',
  'https://app.example/cb',
  'app.example:/cb',
  'http://evil.example/',
  'x',
);
const resource = text('/', '/mcp', 'https://evil.example/', 'x');
const client = text('unknown', 'https://client.example/metadata.json', 'http://localhost/x', '__proto__');
const method = text('none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt', 'tls_client_auth', 'x');

/** RFC 7591, with members of OpenID Connect. */
const REGISTRATION = object({
  redirect_uris: list(redirect),
  client_name: { type: 'string', maxLength: 250 },
  token_endpoint_auth_method: method,
  application_type: text('web', 'native', 'x'),
  grant_types: list(text('authorization_code', 'refresh_token', 'implicit', 'client_credentials', 'urn:x')),
  response_types: list(text('code', 'id_token', 'none', 'x')),
  scope: text('openid', 'orders:read', 'offline_access', 'x y'),
  subject_type: text('public', 'pairwise'),
  sector_identifier_uri: redirect,
  jwks_uri: redirect,
  jwks: {},
  logo_uri: redirect,
  contacts: list({ type: 'string' }),
  default_max_age: { type: 'integer' },
  id_token_signed_response_alg: text('none', 'EdDSA', 'HS256', 'RS256'),
  software_statement: text('x.y.z'),
  post_logout_redirect_uris: list(redirect),
  initiate_login_uri: redirect,
  client_id: client,
});
const FORMS: readonly (readonly [path: string, method: 'GET' | 'POST', schema: Schema])[] = [
  [
    '/oauth/authorize',
    'GET',
    object({
      client_id: client,
      response_type: text('code', 'token', 'none', 'x'),
      redirect_uri: redirect,
      scope: text('openid', 'orders:read', 'x'),
      state: { type: 'string' },
      resource,
      code_challenge: text('a'.repeat(43), 'x'),
      code_challenge_method: text('S256', 'plain', 'x'),
      prompt: text('none', 'login', 'consent', 'x'),
      max_age: { type: 'integer' },
      id_token_hint: text('x', 'eyJhbGciOiJub25lIn0.e30.'),
      request: text('eyJhbGciOiJub25lIn0.e30.', 'x'),
      request_uri: redirect,
      claims: text('{}', '{"id_token":{"__proto__":null}}', '['),
      response_mode: text('query', 'fragment', 'form_post', 'web_message'),
    }),
  ],
  [
    '/oauth/token',
    'POST',
    object({
      grant_type: text('authorization_code', 'refresh_token', 'client_credentials', '__proto__', 'x'),
      client_id: client,
      code: { type: 'string' },
      redirect_uri: redirect,
      code_verifier: { type: 'string' },
      refresh_token: { type: 'string' },
      client_secret: { type: 'string' },
      client_assertion: text('x.y.z', 'eyJhbGciOiJub25lIn0.e30.'),
      client_assertion_type: text('urn:ietf:params:oauth:client-assertion-type:jwt-bearer', 'x'),
      resource,
      scope: text('openid', 'x'),
    }),
  ],
  ['/oauth/revoke', 'POST', object({ token: { type: 'string' }, client_id: client, token_type_hint: text('x') })],
  ['/oauth/introspect', 'POST', object({ token: { type: 'string' }, client_id: client })],
  [
    '/oauth/logout',
    'GET',
    object({ id_token_hint: text('x.y.z'), client_id: client, post_logout_redirect_uri: redirect }),
  ],
  ['/oauth/interaction/x', 'GET', object({})],
  ['/oauth/interaction/x/login', 'POST', object({ email: text('a@b.example', ''), password: { type: 'string' } })],
  ['/oauth/interaction/x/consent', 'POST', object({ scope: text('orders:read', '__proto__') })],
  ['/oauth/interaction/x/abort', 'POST', object({})],
  ['/oauth/userinfo', 'GET', object({})],
  ['/oauth/jwks', 'GET', object({})],
];
const PAGES = [
  ...[
    '/',
    '/api/docs',
    '/api/openapi.json',
    '/api/asyncapi.json',
    '/health/live',
    '/health/ready',
    '/metrics',
    '/llms.txt',
  ],
  ...['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration', '/.well-known/ai-tools.json'],
  ...['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp', '/api/ai/capabilities'],
  ...['/api/ai/tools', '/api/ai/tools/openapi', '/api/ai/tools/graphql', '/api/ai-skill', '/mcp-approvals', '/nowhere'],
] as const;

export const oauthRequests: RequestGenerator = (random) => {
  const headers = oddHeaders(random);
  if (random.oneIn(3)) {
    const value = generate(REGISTRATION, random, NOTHING);
    const body = bodyOf(random.oneIn(2) ? mutate(value, random) : value, random);
    const fuzzRequest = { name: 'oauth register', method: 'POST', path: '/oauth/register', caller: undefined, body };
    return packed({ ...fuzzRequest, headers: { 'content-type': 'application/json', ...headers } }, random);
  }
  const [path, verb, schema] = random.pick(FORMS);
  const form = formOf(generate(schema, random, NOTHING), random);
  const type = random.oneIn(15) ? 'application/json' : 'application/x-www-form-urlencoded';
  return verb === 'GET'
    ? { name: path, method: random.oneIn(10) ? 'POST' : 'GET', path: `${path}?${form}`, caller: undefined, headers }
    : {
        name: path,
        method: 'POST',
        path,
        caller: undefined,
        headers: { 'content-type': type, ...headers },
        body: Buffer.from(form),
      };
};

export const pageRequests: RequestGenerator = (random) => {
  const query = Array.from(
    { length: random.below(3) },
    () =>
      `${random.pick(['format', 'server', 'category', 'profile', '__proto__', 'x'])}=${inAddress(oddValue(random), random)}`,
  ).join('&');
  return {
    name: 'page',
    method: random.oneIn(6) ? random.pick(['POST', 'HEAD', 'OPTIONS', 'DELETE', 'TRACE']) : 'GET',
    path: `${random.pick(PAGES)}${random.oneIn(10) ? inAddress(oddValue(random), random) : ''}${query && `?${query}`}`,
    caller: undefined,
    headers: oddHeaders(random),
  };
};

const NOTHING = new Map<string, readonly Json[]>();

function formOf(value: Json, random: Random): string {
  if (typeof value !== 'object' || value === null) return inAddress(value, random);
  return Object.entries(value)
    .flatMap(([name, member]) => {
      const given = random.oneIn(12) ? oddValue(random) : (member as Json);
      const pair = `${inAddress(name, random)}=${inAddress(given, random)}`;
      return random.oneIn(25) ? [pair, pair, `${name}[__proto__]=1`] : [pair];
    })
    .join('&');
}

/**
 * A payment provider on this machine for development and tests. It has the protocol of Stripe, with state on disk and
 * cards that succeed, are declined, need an authentication, succeed late, are disputed, and whose refunds fail. It moves
 * no money, and accepts every secret key that begins with `sk_test_`: each key is an account.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { failed, type Reply } from './errors.js';
import { decodeForm, textIn, type Form } from './form.js';
import { createIdempotentCalls, type CallHook } from './idempotent-calls.js';
import { createLedger } from './ledger.js';
import { createMessages } from './messages.js';
import { newEndpoint, newId, type EndpointItem } from './objects.js';
import { createPages } from './pages.js';
import { createRoutes } from './routes.js';
import { openStore } from './store.js';

export interface TestProviderOptions {
  /** File of its state. */
  readonly file: string;
  /** Default: a free port. */
  readonly port?: number;
  /** Delay of later changes, in milliseconds. */
  readonly laterMs?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Runs around each action, within its idempotency key: for tests with failures. */
  readonly aroundAction?: CallHook;
  /** Runs around each response. It may throw: then the connection is reset. */
  readonly aroundResponse?: CallHook;
}

export type TestProvider = Awaited<ReturnType<typeof startTestProvider>>;

const LATER_MS = 2_000;
const TICK_MS = 50;
const MAX_BYTES = 1_048_576;
const NO_HOOK: CallHook = (_call, run) => run();

export async function startTestProvider({
  file,
  port = 0,
  laterMs = LATER_MS,
  now = Date.now,
  aroundAction = NO_HOOK,
  aroundResponse = NO_HOOK,
}: TestProviderOptions) {
  const store = openStore(file);
  const messages = createMessages({ store, now });
  let address = '';
  const url = (): string => address;
  const ledger = createLedger({ store, messages, url, now, laterMs });
  const routes = createRoutes({ store, ledger, url, now });
  const pages = createPages({ store, ledger, now });
  const idempotent = createIdempotentCalls({ store, now, around: aroundAction });
  const ticking = setInterval(() => store.atomically(() => ledger.tick()), TICK_MS).unref();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET' } = request;
    const { pathname, search } = new URL(request.url!, 'http://provider');
    const body = await bodyOf(request);
    const form = decodeForm(method === 'GET' ? search : body);
    const page = store.atomically(() => pages(pathname, method === 'POST' ? form : undefined));
    if (page) {
      const headers = { 'content-type': 'text/html; charset=utf-8', ...(page.location && { location: page.location }) };
      return void response.writeHead(page.status, headers).end(page.html);
    }
    const account = accountOf(request, form, pathname);
    const key = request.headers['idempotency-key'] as string | undefined;
    const call = { method, path: pathname, key, form };
    const run = async (): Promise<Reply> => {
      if (account === undefined)
        return failed(401, { message: 'You did not provide a valid API key.', type: 'invalid_request_error' });
      const act = (): Reply => routes({ method, path: pathname, form, account });
      return method === 'POST' ? idempotent(call, { account, body }, act) : act();
    };
    send(request, response, await aroundResponse(call, run));
  }

  /** The account of the secret key; for the app of a customer: of the client secret. Undefined: not authorized. */
  function accountOf(request: IncomingMessage, form: Form, path: string): string | undefined {
    const [scheme, given = ''] = (request.headers.authorization ?? '').split(' ');
    const basic = scheme === 'Basic' ? Buffer.from(given, 'base64').toString().split(':')[0]! : given;
    if (/^sk_test_\w+$/.test(basic)) return basic;
    const secret = textIn(form, 'client_secret');
    const [, id] = /^\/v1\/payment_intents\/([^/]+)(?:\/confirm)?$/.exec(path) ?? [];
    return secret === undefined
      ? undefined
      : store.all('payment_intent').find(({ item }) => item.id === id && item['client_secret'] === secret)?.account;
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => request.socket.resetAndDestroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url: address,
    store,
    /** Sends the messages of an account to an address. Returns the signing secret; absent: it stays unchanged. */
    addEndpoint(account: string, target: string, secret?: string): string {
      const known = store.list<EndpointItem>('webhook_endpoint', account).find((one) => one.url === target);
      const endpoint = known ?? newEndpoint(target, ['*'], newId('whsec'), now());
      const signed = { ...endpoint, secret: secret ?? endpoint.secret };
      if (signed.secret !== known?.secret) store.put('webhook_endpoint', account, signed);
      return signed.secret;
    },
    async stop(): Promise<void> {
      clearInterval(ticking);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await messages.stop();
      store.close();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_BYTES) throw new Error('The body is too large.');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function send(request: IncomingMessage, response: ServerResponse, { status, body, headers }: Reply): void {
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'request-id': newId('req'),
      ...(typeof request.headers['stripe-version'] === 'string' && {
        'stripe-version': request.headers['stripe-version'],
      }),
      ...headers,
    })
    .end(JSON.stringify(body));
}

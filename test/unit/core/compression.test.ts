/** Which responses are compressed, and the properties that compression must preserve. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as send, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import express, { type Express } from 'express';
import { z } from 'zod';
import { compressResponses, neverCompress } from '../../../src/api/core/compression.js';
import { constant, sendConstant } from '../../../src/api/core/constant.js';
import { operation } from '../../../src/api/core/operation.js';
import { sendRepresentation } from '../../../src/api/core/representation.js';
import { sendPieces } from '../../../src/api/rest/pieces.js';
import { operationHandler } from '../../../src/api/rest/route.js';
import { eventually } from '../../support/eventually.js';

const LONG = Buffer.from(JSON.stringify({ text: 'a long text '.repeat(500) }));
const JSON_TYPE = 'application/json; charset=utf-8';
const ETAG = '"abc"';
/** Random data does not compress, so a compressor buffers hardly any of it. */
const noise = (): string => randomBytes(75_000).toString('base64');

interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

describe('compression of responses', () => {
  let app: Express;
  let server: Server;
  let port: number;
  beforeEach(async () => {
    app = express();
    app.set('etag', false);
    app.use(compressResponses());
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Returns the raw response: the client adds no header and decompresses nothing. */
  async function open(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<IncomingMessage> {
    const outgoing = send({ host: '127.0.0.1', port, path, headers, method }).end();
    const [message] = (await once(outgoing, 'response')) as [IncomingMessage];
    return message;
  }
  async function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Received> {
    const message = await open(path, headers, method);
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    return { status: message.statusCode!, headers: message.headers, body: Buffer.concat(chunks) };
  }
  const serve = (path: string, body: Buffer, mediaType: string, headers = {}) =>
    app.get(path, (request, response) =>
      sendRepresentation(request, response, {
        body,
        mediaType,
        etag: ETAG,
        lastModified: '2026-01-01T00:00:00Z',
        headers,
      }),
    );

  it('uses the encoding that the client requests, and Brotli without a preference', async () => {
    serve('/', LONG, 'application/json');
    const [br, gzip, preferred, refused, none] = await Promise.all([
      get('/', { 'accept-encoding': 'gzip, deflate, br' }),
      get('/', { 'accept-encoding': 'gzip' }),
      get('/', { 'accept-encoding': 'br;q=0.5, gzip' }),
      get('/', { 'accept-encoding': 'br;q=0, identity' }),
      get('/'),
    ]);
    expect(br.headers['content-encoding']).to.equal('br');
    expect(brotliDecompressSync(br.body)).to.deep.equal(LONG);
    for (const one of [gzip, preferred]) {
      expect(one.headers['content-encoding']).to.equal('gzip');
      expect(gunzipSync(one.body)).to.deep.equal(LONG);
    }
    for (const one of [refused, none]) {
      expect(one.headers['content-encoding']).to.equal(undefined);
      expect(one.headers['content-length']).to.equal(String(LONG.length));
      expect(one.body).to.deep.equal(LONG);
    }
    for (const one of [br, gzip, refused, none]) expect(one.headers.vary).to.contain('Accept-Encoding');
  });

  it('leaves a response unchanged if the client sends no Accept-Encoding', async () => {
    let wrapped: boolean | undefined;
    app.get('/', (_request, response) => {
      wrapped = ['end', 'write', 'writeHead', 'on'].some((name) => Object.hasOwn(response, name));
      response.end();
    });
    await get('/');
    expect(wrapped).to.equal(false);
    await get('/', { 'accept-encoding': 'gzip' });
    expect(wrapped).to.equal(true);
  });

  it('leaves small responses, compressed types, parts of files, credentials and /oauth unchanged', async () => {
    serve('/small', Buffer.from('{"a":1}'), 'application/json');
    serve('/pdf', LONG, 'application/pdf');
    serve('/png', LONG, 'image/png');
    serve('/part', LONG, 'application/json', { 'Content-Range': `bytes 0-${LONG.length - 1}/99999` });
    serve('/oauth/authorize', LONG, 'text/html');
    app.get('/login', (_request, response) => {
      neverCompress(response);
      response.setHeader('Content-Type', JSON_TYPE);
      response.end(LONG);
    });
    for (const path of ['/small', '/pdf', '/png', '/part', '/login', '/oauth/authorize', '/OAuth/authorize']) {
      const { headers } = await get(path, { 'accept-encoding': 'gzip, br' });
      expect(headers['content-encoding'], path).to.equal(undefined);
      if (path !== '/login') expect(headers.etag, path).to.equal(ETAG);
    }
  });

  it('leaves the response of an operation that returns a credential unchanged', async () => {
    for (const [path, returnsCredential] of [
      ['/credential', true],
      ['/other', false],
    ] as const)
      app.get(
        path,
        operationHandler({
          operation: operation({
            name: 'any',
            area: 'T',
            summary: '',
            rest: { method: 'get', path },
            callers: ['anonymous'],
            returnsCredential,
            input: z.object({}),
            output: z.unknown(),
            run: async () => undefined,
          }),
          authenticate: async () => ({ role: 'anonymous' }),
          limit: async () => ({}),
          invoke: async () => ({ result: JSON.parse(LONG.toString()) as unknown, position: undefined }),
          baseUrl: () => '',
        }),
      );
    const encodingOf = async (path: string) =>
      (await get(path, { 'accept-encoding': 'br' })).headers['content-encoding'];
    expect(await encodingOf('/credential')).to.equal(undefined);
    expect(await encodingOf('/other')).to.equal('br');
  });

  it('gives compressed bytes a weak validator, and returns 304 for the validator of the client', async () => {
    serve('/', LONG, 'application/json');
    const compressed = { 'accept-encoding': 'br' };
    expect((await get('/')).headers.etag).to.equal(ETAG);
    expect((await get('/', compressed)).headers.etag).to.equal(`W/${ETAG}`);
    for (const tag of [ETAG, `W/${ETAG}`])
      for (const headers of [{}, compressed]) {
        const { status, headers: received, body } = await get('/', { ...headers, 'if-none-match': `"x", ${tag}` });
        expect([status, received.etag, body.length], tag).to.deep.equal([304, tag, 0]);
        expect(received['content-encoding']).to.equal(undefined);
      }
  });

  it('answers HEAD with the headers of GET', async () => {
    serve('/', LONG, 'application/json');
    serve('/small', Buffer.from('{"a":1}'), 'application/json');
    serve('/pdf', LONG, 'application/pdf');
    for (const path of ['/', '/small', '/pdf'])
      for (const headers of [{}, { 'accept-encoding': 'gzip' }] as Record<string, string>[]) {
        const [got, head] = await Promise.all([get(path, headers), get(path, headers, 'HEAD')]);
        expect(head.body.length).to.equal(0);
        for (const name of ['etag', 'content-length', 'content-type', 'vary', 'last-modified'])
          expect(head.headers[name], `${path} ${JSON.stringify(headers)} ${name}`).to.equal(got.headers[name]);
      }
  });

  it('sends an event stream event by event', async () => {
    let write: (text: string) => void = () => undefined;
    app.get('/events', (_request, response) => {
      response.setHeader('Content-Type', 'text/event-stream');
      write = (text) => void response.write(text);
      write('data: first\n\n');
    });
    const message = await open('/events', { 'accept-encoding': 'gzip, br' });
    expect(message.headers['content-encoding']).to.equal(undefined);
    const events = message.setEncoding('utf8')[Symbol.asyncIterator]() as AsyncIterator<string>;
    expect((await events.next()).value).to.equal('data: first\n\n');
    write('data: second\n\n');
    expect((await events.next()).value).to.equal('data: second\n\n');
    message.destroy();
  });

  describe('of a streamed response', () => {
    const PIECES = 200;
    const PIECE_BYTES = noise().length;
    let made: number;
    let ended: boolean;
    beforeEach(() => {
      [made, ended] = [0, false];
      async function* pieces() {
        try {
          while (made < PIECES) {
            made += 1;
            yield noise();
          }
        } finally {
          ended = true;
        }
      }
      app.get(
        '/',
        (request, response, next) =>
          void sendPieces(request, response, { pieces: pieces(), mediaType: 'application/x-ndjson' }).catch(next),
      );
    });

    for (const encoding of ['gzip', 'br', undefined])
      it(`${encoding ?? 'plain'}: creates pieces at the speed of the reader, and stops when the reader leaves`, async () => {
        const message = await open('/', encoding === undefined ? {} : { 'accept-encoding': encoding });
        expect(message.headers['content-encoding']).to.equal(encoding);
        let seen = -1;
        await eventually(async () => {
          const stands = made === seen;
          seen = made;
          await new Promise((resolve) => setTimeout(resolve, 50));
          return stands;
        }, 'a pause of the writer');
        expect(made).to.be.below(PIECES);
        message.destroy();
        await eventually(async () => ended, 'the end of the pieces');
        expect(made).to.be.below(PIECES);
      });

    it('is complete, and stays within the listener limit of Node', async () => {
      const warnings: string[] = [];
      const listen = ({ message }: Error): void => void warnings.push(message);
      process.on('warning', listen);
      try {
        const { body, headers } = await get('/', { 'accept-encoding': 'gzip' });
        expect(headers.vary).to.contain('Accept-Encoding');
        expect(gunzipSync(body).length).to.equal(PIECE_BYTES * PIECES);
        await new Promise((resolve) => setImmediate(resolve));
      } finally {
        process.off('warning', listen);
      }
      expect(warnings).to.deep.equal([]);
    });
  });

  describe('of static documents', () => {
    it('computes each encoding once', async () => {
      const document = constant(LONG, JSON_TYPE);
      expect(document.encoded.br()).to.equal(document.encoded.br());
      expect(document.encoded.gzip()).to.equal(document.encoded.gzip());
      app.get('/', (request, response) => sendConstant(request, response, document));
      const { headers, body } = await get('/', { 'accept-encoding': 'gzip, br' });
      expect(headers).to.include({
        'content-encoding': 'br',
        'content-length': String((await document.encoded.br()).length),
        etag: `W/${document.etag}`,
      });
      expect(headers.vary!.match(/Accept-Encoding/g)).to.have.length(1);
      expect(brotliDecompressSync(body)).to.deep.equal(LONG);
      expect((await get('/')).headers.etag).to.equal(document.etag);
      const again = await get('/', { 'accept-encoding': 'gzip, br', 'if-none-match': headers.etag! });
      expect([again.status, again.body.length]).to.deep.equal([304, 0]);
    });

    it('leaves small documents uncompressed', async () => {
      const document = constant('short', 'text/plain');
      app.get('/', (request, response) => sendConstant(request, response, document));
      expect((await get('/', { 'accept-encoding': 'br' })).headers).to.include({ 'content-length': '5' });
    });
  });
});

/**
 * A bucket that implements the part of the S3 protocol that files need, and checks each signature (AWS Signature
 * Version 4).
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeBucket {
  readonly url: string;
  readonly secret: string;
  /** By path. */
  readonly objects: Map<string, Buffer>;
  readonly refused: string[];
  stop(): void;
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

export async function startFakeBucket(): Promise<FakeBucket> {
  const secret = 'a secret of the bucket';
  const objects = new Map<string, Buffer>();
  const refused: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const path = request.url!.split('?')[0]!;
      if (!isSigned(request, body, secret)) {
        refused.push(`${request.method} ${request.url}`);
        return void response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
      }
      if (request.method === 'PUT') {
        objects.set(path, body);
        return void response.writeHead(200, { ETag: '"1"' }).end();
      }
      if (request.method === 'DELETE') {
        objects.delete(path);
        return void response.writeHead(204).end();
      }
      const found = objects.get(path);
      if (!found)
        return void response
          .writeHead(404, { 'Content-Type': 'application/xml' })
          .end('<?xml version="1.0"?><Error><Code>NoSuchKey</Code><Message>gone</Message></Error>');
      response.writeHead(200, { 'Content-Length': found.length }).end(found);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    secret,
    objects,
    refused,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function isSigned(request: IncomingMessage, body: Buffer, secret: string): boolean {
  const found =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    );
  if (!found) return false;
  const [, day, region, signed, signature] = found as unknown as [string, string, string, string, string];
  const contentHash = String(request.headers['x-amz-content-sha256']);
  if (contentHash !== 'UNSIGNED-PAYLOAD' && contentHash !== sha256(body)) return false;
  const [path = '', query = ''] = request.url!.split('?');
  const headers = signed.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const canonicalQuery = query
    .split('&')
    .map((part) => (part.includes('=') || part === '' ? part : `${part}=`))
    .sort()
    .join('&');
  const canonical = [request.method, path, canonicalQuery, headers.join(''), signed, contentHash].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', String(request.headers['x-amz-date']), scope, sha256(canonical)].join('\n');
  const key = ['s3', 'aws4_request'].reduce(hmac2, hmac(hmac(`AWS4${secret}`, day), region));
  return timingSafeEqual(hmac(key, toSign), Buffer.from(signature, 'hex'));
}

const hmac2 = (key: Buffer, text: string): Buffer => hmac(key, text);

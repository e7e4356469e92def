/** First bytes of a connection that no client library would send. */
import type { Random } from './random.js';
import type { RequestGenerator } from './request.js';

const LINES = [
  'GET / HTTP/1.1',
  'GET /health/live HTTP/1.1',
  'POST /api/v1/otep/validate HTTP/1.1',
  'POST /mcp HTTP/1.1',
  'POST /oauth/token HTTP/1.1',
  'GET http://evil.example/ HTTP/1.1',
  'CONNECT evil.example:443 HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'TRACE / HTTP/1.1',
  'PROPFIND / HTTP/1.1',
  'GET / HTTP/1.0',
  'GET / HTTP/9.9',
  'GET /',
  'PRI * HTTP/2.0',
  'get / http/1.1',
  `GET /${'a/'.repeat(4_000)} HTTP/1.1`,
  'GET /api/v1/otep/trackings/\u00ff HTTP/1.1',
  'GET //evil.example/.. HTTP/1.1',
  ' GET / HTTP/1.1',
] as const;
const HEADERS = [
  'Host: x',
  'Host: x',
  'Host:',
  'Host: a\r\nHost: b',
  'Content-Length: 2',
  'Content-Length: -1',
  'Content-Length: 0x10',
  'Content-Length: 99999999999999999999',
  'Content-Length: 2\r\nContent-Length: 3',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: x',
  'Content-Type: application/json',
  'Content-Encoding: gzip',
  'Expect: 100-continue',
  'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x',
  'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: x',
  'Authorization: Bearer',
  `Authorization: Bearer ${'x'.repeat(9_000)}`,
  'Cookie: \u0000',
  ' folded: x',
  'no colon',
  ': no name',
  `x: ${'y'.repeat(17_000)}`,
  'x: a\nb: c',
  'Connection: close',
] as const;
const BODIES = [
  '',
  '{}',
  '0\r\n\r\n',
  '2\r\n{}\r\n0\r\n\r\n',
  'ffffffffffffffff\r\nx',
  '-1\r\nx',
  '2;x="\r\n{}\r\n',
  '\u0000',
] as const;
const NOT_HTTP = [
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000',
  '\u0016\u0003\u0001\u0000\u0005hello',
  'SSH-2.0-x\r\n',
  '\r\n\r\n\r\n',
  '\u0000',
  'HELO x\r\n',
] as const;

export const socketRequests: RequestGenerator = (random: Random) => ({
  name: 'socket',
  method: '',
  path: '',
  headers: {},
  caller: undefined,
  raw: rawOf(random),
});

function rawOf(random: Random): Buffer {
  if (random.oneIn(10)) return Buffer.from(random.pick(NOT_HTTP), 'latin1');
  const headers = Array.from({ length: random.pick([1, 2, 3, 6, 2_000]) }, () => random.pick(HEADERS));
  const end = random.oneIn(8) ? '\n' : '\r\n';
  const text = [random.pick(LINES), ...headers, '', random.pick(BODIES)].join(end);
  const whole = Buffer.from(random.oneIn(12) ? text.repeat(3) : text, 'latin1');
  if (random.oneIn(4)) whole[random.below(whole.length)] = random.below(256);
  return random.oneIn(8) ? whole.subarray(0, random.below(whole.length)) : whole;
}

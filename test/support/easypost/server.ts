/**
 * The double of EasyPost, as a separate process: its protocol, state on disk, and faults on demand. Arguments: file of
 * the state, port (default: a free one). Every API key that begins with `EZTK` is an account.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { faultIn, type Fault, type Operation } from './faults.js';
import { fileAt } from './files.js';
import type { Members } from './objects.js';
import { failed, NOT_FOUND, ok, type Reply } from './replies.js';
import { createRoutes, type Call } from './routes.js';
import { createShipments } from './shipments.js';
import { openStore } from './store.js';
import { createTrackers, type ScanOrder } from './trackers.js';

const [, , file = '', port = '0'] = process.argv;
const store = openStore(file);
let address = '';
const origin = (): string => address;
const shipments = createShipments(store, origin);
const trackers = createTrackers(store, origin);
const callOf = createRoutes({ store, shipments, trackers });
/** Faults that a test ordered, for the next calls of an operation. */
const ordered: Fault[] = [];
/** The process that a fault kills. */
let victim = 0;

/** The fault of a call: one that was ordered, or the one of the shipment, which happens once per operation. */
function faultOf({ operation, about, company }: Call, account: string): Fault | undefined {
  if (operation === undefined) return undefined;
  const index = ordered.findIndex((one) => one.operation === operation);
  if (index >= 0) return ordered.splice(index, 1)[0];
  const named = faultIn(company);
  if (named?.operation !== operation) return undefined;
  if (named.fault === 'declined_always' || named.fault === 'price') return named;
  const id = `${about} ${operation}`;
  if (store.get('once', account, id)) return undefined;
  store.put(account, ['once', { id }]);
  return named;
}

const DECLINED = failed(422, 'SHIPMENT.POSTAGE.FAILURE', 'Unable to buy postage for Elizabeth Swan.');
const DECLINED_REFUND = failed(422, 'SHIPMENT.REFUND.FAILURE', 'Unable to request the refund.');
const DECLINED_FORM = failed(422, 'SCAN_FORM.CREATE.FAILURE', 'Unable to create the scan form.');
const BROKEN = failed(500, 'INTERNAL_SERVER_ERROR', 'An unexpected error occurred.');

const declined = (operation: Operation | undefined): Reply =>
  operation === 'refund' ? DECLINED_REFUND : operation === 'scan_form' ? DECLINED_FORM : DECLINED;

const kill = (): void => {
  if (victim > 0) process.kill(victim, 'SIGKILL');
};

async function handle(request: IncomingMessage, response: ServerResponse, call: Call, account: string): Promise<void> {
  const fault = faultOf(call, account);
  const reset = () => void request.socket.resetAndDestroy();
  switch (fault?.fault) {
    case '500_before':
      return send(response, BROKEN);
    case 'reset_before':
      return reset();
    case 'declined':
    case 'declined_always':
      return send(response, declined(call.operation));
    case 'unpaid':
      return send(response, failed(402, 'PAYMENT_REQUIRED', 'Insufficient funds.'));
    case 'limited':
      return send(response, failed(429, 'RATE_LIMITED', 'Too many requests.'));
    case 'in_progress':
      call.later?.(fault.number);
      return send(response, BROKEN);
    case 'kill_before':
      return kill();
  }
  let reply = call.run(fault);
  switch (fault?.fault) {
    case '500_after':
      return send(response, BROKEN);
    case 'reset_after':
      return reset();
    case 'broken':
      return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"id": "shp_');
    case 'twice':
      reply = call.run(fault);
      break;
    case 'slow':
      await sleep(fault.number);
      break;
    case 'kill_after':
      return kill();
    case 'kill_responded':
      response.once('finish', () => setTimeout(kill, Math.random() * 8));
  }
  send(response, reply);
}

function send(response: ServerResponse, { status, json }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(json));
}

/** Calls of tests. */
function control(path: string, body: Members): Reply {
  switch (path) {
    case 'faults':
      ordered.push(...Array.from({ length: Number(body['times'] ?? 1) }, () => body as unknown as Fault));
      return ok({});
    case 'victim':
      victim = Number(body['pid']);
      return ok({});
    case 'scans':
      return trackers.scan(body as unknown as ScanOrder);
    case 'refunds': {
      const found = store.all('shipment').find(({ item }) => item.id === body['shipment_id']);
      if (!found) return NOT_FOUND;
      store.put(found.account, ['shipment', { ...found.item, refund_status: body['status'] }]);
      return ok({});
    }
    case 'state':
      return ok({
        shipments: store.all('shipment').map(({ item }) => ({ id: item.id, reference: item['reference'] })),
        purchases: store.all('purchase').map(({ item }) => item),
        refunds: store.all('refund').map(({ item }) => item),
        scan_forms: store.all('scan_form').map(({ item }) => item),
      });
  }
  return NOT_FOUND;
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url!, 'http://double');
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const body = (text === '' ? {} : JSON.parse(text)) as Members;
  const stored = fileAt(pathname);
  if (stored) return void response.writeHead(200, { 'content-type': stored.type }).end(stored.bytes);
  const [, area, ...rest] = pathname.split('/');
  const path = rest.filter(Boolean).join('/');
  if (area === 'double') return send(response, control(path, body));
  const [scheme, given = ''] = (request.headers.authorization ?? '').split(' ');
  const account = scheme === 'Basic' ? Buffer.from(given, 'base64').toString().replace(/:$/, '') : '';
  if (!account.startsWith('EZTK'))
    return send(response, failed(401, 'APIKEY.INACTIVE', 'This api key is no longer active.'));
  const call =
    area === 'v2' ? callOf({ method: request.method ?? 'GET', path, query: searchParams, account, body }) : undefined;
  if (!call) return send(response, NOT_FOUND);
  await handle(request, response, call, account);
}

const server = createServer((request, response) => {
  serve(request, response).catch(() => request.socket.resetAndDestroy());
});
server.listen(Number(port), '127.0.0.1', () => {
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.stdout.write(`ready ${address}\n`);
});
function end(): void {
  trackers.stop();
  store.close();
  process.exit();
}
process.once('SIGTERM', end);
// The process that started it has ended.
process.stdin.resume().once('end', end);

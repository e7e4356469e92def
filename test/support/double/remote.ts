/**
 * The double of an external system: plain HTTP, state on disk, and faults that a request names. It runs in a separate
 * process. Arguments: file of the state, delay of late responses in milliseconds.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** An action that took effect. `target`: the object or the idempotency key that it belongs to. */
export interface Action {
  readonly target: string;
  /** Id of the effect. */
  readonly key: string;
  readonly number: string;
}

type Entry = { readonly object: string } | { readonly action: Action } | { readonly once: string };

const [, , file = '', lateMs = '0'] = process.argv;
/** Delay of the action after a response with status 500. */
const ACTS_LATER_MS = 300;

const objects = new Set<string>();
const actions: Action[] = [];
/** Faults and kills that have happened: each happens once per effect. */
const happened = new Set<string>();

if (existsSync(file))
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) apply(JSON.parse(line) as Entry);
const descriptor = openSync(file, 'a');
process.once('exit', () => closeSync(descriptor));
// The process that started it has ended.
process.stdin.resume().once('end', () => process.exit());

function apply(entry: Entry): void {
  if ('object' in entry) objects.add(entry.object);
  else if ('action' in entry) actions.push(entry.action);
  else happened.add(entry.once);
}

/** Durable when it returns. */
function store(entry: Entry): void {
  writeSync(descriptor, `${JSON.stringify(entry)}\n`);
  fsyncSync(descriptor);
  apply(entry);
}

/** True the first time. */
function isFirst(what: string): boolean {
  if (happened.has(what)) return false;
  store({ once: what });
  return true;
}

interface Reply {
  readonly status: number;
  readonly json: unknown;
}

const shown = ({ number, key }: Action): Reply => ({
  status: 200,
  json: { number, label: `plaintext label of ${key}` },
});
const NOT_FOUND: Reply = { status: 404, json: { code: 'NOT_FOUND' } };

/** Acts once per object, once per key with `dedupe`, and otherwise each time. */
function act(target: string, key: string, dedupe: 'object' | 'key' | undefined): Reply {
  const earlier = actions.find((action) => action.target === target);
  if (dedupe === 'object' && !objects.has(target)) return NOT_FOUND;
  if (dedupe === 'object' && earlier) return { status: 409, json: { code: 'ALREADY_DONE' } };
  if (dedupe === 'key' && earlier) return shown(earlier);
  const action = { target, key, number: `N${actions.length + 1}` };
  store({ action });
  return shown(action);
}

function send(response: ServerResponse, { status, json }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
}

async function serveAction(request: IncomingMessage, response: ServerResponse, target: string, isObject: boolean) {
  const header = (name: string) => request.headers[name] as string | undefined;
  const key = header('idempotency-key')!;
  const dedupe = isObject ? 'object' : header('x-dedupe') === 'key' ? 'key' : undefined;
  const killAt = header('x-kill-at');
  const given = header('x-fault');
  if (given === 'always_500') return send(response, { status: 500, json: {} });
  if (given === 'declined')
    return send(response, { status: 402, json: { code: 'DECLINED', text: 'Declined for Ada' } });
  const fault = given !== undefined && isFirst(`fault ${key}`) ? given : undefined;
  if (fault === '500_then_done') {
    send(response, { status: 500, json: {} });
    await sleep(ACTS_LATER_MS);
    return void act(target, key, dedupe);
  }
  let reply = act(target, key, dedupe);
  if (killAt === 'during_look' && isFirst(`look ${key}`)) return void request.socket.resetAndDestroy();
  if (killAt === 'after_send' && isFirst(`kill ${key}`)) return void process.kill(Number(header('x-pid')), 'SIGKILL');
  switch (fault) {
    case 'late':
      await sleep(Number(lateMs));
      break;
    case 'twice':
      reply = act(target, key, dedupe);
      break;
    case 'broken':
      return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"number": ');
    case 'reset':
      return void request.socket.resetAndDestroy();
    case 'unlisted':
      return send(response, { status: 400, json: { code: 'STRANGE' } });
  }
  send(response, reply);
}

function serveLook(request: IncomingMessage, response: ServerResponse, target: string): void {
  const key = request.headers['idempotency-key'] as string;
  if (happened.has(`look ${key}`) && isFirst(`kill ${key}`))
    return void process.kill(Number(request.headers['x-pid']), 'SIGKILL');
  const action = actions.find((one) => one.target === target);
  send(response, action ? shown(action) : NOT_FOUND);
}

const server = createServer((request, response) => {
  const [, kind, id, verb] = request.url!.split('/');
  request.resume().once('end', () => {
    if (request.method === 'GET' && kind === 'state') return send(response, { status: 200, json: { actions } });
    if (request.method === 'GET') return serveLook(request, response, id!);
    if (kind === 'objects' && verb === 'act') return void serveAction(request, response, id!, true);
    if (kind === 'objects') {
      const object = `object-${objects.size + 1}`;
      store({ object });
      return send(response, { status: 200, json: { object_id: object } });
    }
    void serveAction(request, response, request.headers['idempotency-key'] as string, false);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});

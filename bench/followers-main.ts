/**
 * The followers of `followers.ts`, in a separate process. It uses raw sockets, because full parsing of a thousand
 * streams would take CPU time from the measured service. It records the time of each event and checks that each event
 * arrives once and in order.
 */
import { connect } from 'node:net';
import { clock, type Arrival, type FollowRequest } from './followers.js';

const ID_MARKER = '\nid: ';
const arrivals = new Map<string, Arrival>();

/** Resolves with the first event, which contains the start position of the stream. */
const follow = ({ hostname, port, path }: FollowRequest, token: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port });
    socket.setEncoding('latin1');
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    let rest = '';
    let last = '';
    socket.on('error', reject);
    socket.on('close', () => fail(`A stream ended: ${rest.slice(0, 300)}`));
    socket.on('data', (chunk: string) => {
      const at = clock();
      const text = rest + chunk;
      const end = text.lastIndexOf('\n\n');
      rest = end < 0 ? text : text.slice(end);
      for (let from = text.indexOf(ID_MARKER); from >= 0 && from < end; from = text.indexOf(ID_MARKER, from + 1)) {
        const id = text.slice(from + ID_MARKER.length, text.indexOf('\n', from + 1));
        // A tick event has the position of the last event before it.
        const isTick = dataOf(text, from).includes('"tick":true');
        if (id < last || (id === last && !isTick)) fail(`An event came twice or out of order: ${id} after ${last}`);
        if (last === '') resolve();
        else if (!isTick) recordArrival(id, at, text, from);
        last = id;
      }
    });
  });

function recordArrival(id: string, at: number, text: string, from: number): void {
  const known = arrivals.get(id);
  if (known) {
    known.last = at;
    known.count += 1;
    return;
  }
  const { type, order_id } = JSON.parse(dataOf(text, from)) as Arrival;
  arrivals.set(id, { type, order_id, first: at, last: at, count: 1 });
}

/** Returns the data of the event whose id starts at `from`. */
function dataOf(text: string, from: number): string {
  const data = text.indexOf('\ndata: ', from) + '\ndata: '.length;
  return text.slice(data, text.indexOf('\n', data));
}

function fail(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}

process.on('message', (request: FollowRequest | 'report') => {
  if (request === 'report') return void process.send!([...arrivals.values()]);
  // In groups, because each follower first reads the board.
  void (async () => {
    for (const tokens = [...request.tokens]; tokens.length > 0;)
      await Promise.all(tokens.splice(0, 20).map((token) => follow(request, token)));
    process.send!('following');
  })();
});

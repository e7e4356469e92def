/** A TCP proxy that simulates network faults: cut, closed, slow or silent connections, and lost responses. */
import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** Closes every connection once. */
  cut(): void;
  /** Rejects connections until `open` is called. */
  close(): Promise<void>;
  open(): Promise<void>;
  /** The next `count` times that a client has sent `text`, the response is discarded and the connection closed. */
  loseAnswerTo(text: string, count: number): void;
  /** Delays every response by this many milliseconds; 0: no delay. */
  slow(millis: number): void;
  /** Forwards nothing without an error: connections stay open, and new connections are accepted. */
  silence(): void;
  /** Ends the silence; connections from that time are closed, as by a network that has forgotten them. */
  speak(): void;
}

export async function startTcpProxy(host: string, port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let losing: { text: string; count: number } | undefined;
  let late = 0;
  let silent = false;
  const server = createServer((client) => {
    const upstream = connect(port, host);
    let isClosing = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(socket);
          client.destroy();
          upstream.destroy();
        });
    }
    /** In order, as TCP guarantees: chunks without a delay wait for delayed chunks before them. */
    const waiting: { readonly chunk: Buffer; readonly due: number }[] = [];
    let timer: NodeJS.Timeout | undefined;
    const deliver = (): void => {
      while (waiting[0] && waiting[0].due <= Date.now()) client.write(waiting.shift()!.chunk);
      if (waiting[0]) timer ??= setTimeout(() => ((timer = undefined), deliver()), waiting[0].due - Date.now());
    };
    client.on('data', (chunk) => {
      if (silent) return;
      if (losing && losing.count > 0 && chunk.includes(losing.text)) {
        losing.count--;
        isClosing = true;
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (silent) return;
      if (isClosing) return void client.destroy();
      waiting.push({ chunk, due: Date.now() + late });
      deliver();
    });
  });
  const listen = async (at: number): Promise<void> => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port: own } = server.address() as AddressInfo;
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    port: own,
    cut,
    async close() {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
    open: () => listen(own),
    loseAnswerTo: (text, count) => void (losing = { text, count }),
    slow: (millis) => void (late = millis),
    silence: () => void (silent = true),
    speak() {
      silent = false;
      cut();
    },
  };
}

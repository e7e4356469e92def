/** Records every network access of this process, to prove that nothing leaves the machine. */
import dgram from 'node:dgram';
import dns from 'node:dns';
import net from 'node:net';

export interface NetworkWatch {
  /** The attempts in order: `connect host:port`, `resolve name`, `send host:port`. Local addresses are not listed. */
  readonly attempts: readonly string[];
  stop(): void;
}

const isLocal = (host: string | undefined): boolean =>
  host === undefined || ['localhost', '127.0.0.1', '::1', '0.0.0.0'].includes(host);

/** HTTP, TLS and `fetch` always call a socket's `connect` or resolve a name first. */
export function watchNetwork(): NetworkWatch {
  const attempts: string[] = [];
  const { connect } = net.Socket.prototype;
  net.Socket.prototype.connect = function (this: net.Socket, ...args: never[]) {
    const [first] = args as unknown as [unknown];
    const options = (Array.isArray(first) ? first[0] : first) as net.TcpNetConnectOpts | number | string;
    const host = typeof options === 'object' ? options.host : (args as unknown as string[])[1];
    if (!isLocal(host)) attempts.push(`connect ${host}`);
    return (connect as (...given: never[]) => net.Socket).apply(this, args);
  } as typeof connect;
  const { lookup, resolve } = dns;
  const watchName = <T extends (...args: never[]) => unknown>(original: T): T =>
    ((...args: Parameters<T>) => {
      const [name] = args as unknown as [string];
      if (!isLocal(name)) attempts.push(`resolve ${name}`);
      return original(...args);
    }) as T;
  dns.lookup = Object.assign(watchName(lookup as never), lookup) as typeof lookup;
  dns.resolve = Object.assign(watchName(resolve as never), resolve) as typeof resolve;
  const { send } = dgram.Socket.prototype;
  dgram.Socket.prototype.send = function (this: dgram.Socket, ...args: never[]) {
    attempts.push('send');
    return (send as (...given: never[]) => void).apply(this, args);
  } as typeof send;
  return {
    attempts,
    stop() {
      net.Socket.prototype.connect = connect;
      dns.lookup = lookup;
      dns.resolve = resolve;
      dgram.Socket.prototype.send = send;
    },
  };
}

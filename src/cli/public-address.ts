import type { Config } from '../config.js';

/** Returns the configured public address of the service, without a trailing slash. */
export function publicAddress({ baseUrl, host, port }: Config): string {
  return baseUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

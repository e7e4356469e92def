import type { Config } from '../config.js';

/** Where the service is reached, as the configuration says: without a trailing slash. */
export function publicAddress({ baseUrl, host, port }: Config): string {
  return baseUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * Reads a file from an address in the response of an external system, such as the file of a label. The address is not
 * trusted: https, public addresses only, pinned after the check, no redirects.
 */
import { createPublicFetch } from '../public-fetch.js';

export interface PublicFileOptions {
  /** Maximum size in bytes. */
  readonly maxBytes: number;
  /** Timeout in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Returns the bytes and the media type. Undefined: the server did not respond with status 200. Throws if the address is
 * not allowed, the server does not respond in time, or the file is too large.
 */
export function createPublicFileReader({ maxBytes, timeoutMs }: PublicFileOptions) {
  const publicFetch = createPublicFetch({ allowPrivate: false, maxBytes, timeoutMs, accept: '*/*' });
  return async (url: string): Promise<{ readonly bytes: Buffer; readonly mediaType: string | null } | undefined> => {
    const response = await publicFetch(url);
    if (response.status !== 200) return undefined;
    return { bytes: Buffer.from(await response.arrayBuffer()), mediaType: response.headers.get('content-type') };
  };
}

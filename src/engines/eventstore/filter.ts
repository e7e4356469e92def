/** Which streams of `$all` a subscription wants. The server's own streams begin with `$` and are never among them. */

/** For the server: every stream that is not its own. */
export const ALL_STREAMS = '^[^$]';

export interface StreamFilter {
  /** Absent: all. */
  readonly prefixes?: readonly string[];
  matches(stream: string): boolean;
}

export function streamFilter(prefixes?: readonly string[]): StreamFilter {
  if (!prefixes || prefixes.includes('')) return { matches: (stream) => !isSystemStream(stream) };
  if (prefixes.length === 0 || prefixes.some(isSystemStream))
    throw new RangeError('At least one prefix, and none of a system stream.');
  return { prefixes, matches: (stream) => prefixes.some((prefix) => stream.startsWith(prefix)) };
}

export const isSystemStream = (stream: string): boolean => stream.startsWith('$');

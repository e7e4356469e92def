/**
 * Selects the streams of `$all` for a subscription. Names of the server's system streams begin with `$`; they never
 * match.
 */

/** Server-side filter: every stream except system streams. */
export const ALL_STREAMS = '^[^$]';

export interface StreamFilter {
  /** Absent: all streams. */
  readonly prefixes?: readonly string[];
  matches(stream: string): boolean;
}

export function streamFilter(prefixes?: readonly string[]): StreamFilter {
  if (!prefixes || prefixes.includes('')) return { matches: (stream) => !isSystemStream(stream) };
  if (prefixes.length === 0 || prefixes.some(isSystemStream))
    throw new RangeError('Pass at least one prefix, and no prefix of a system stream.');
  return { prefixes, matches: (stream) => prefixes.some((prefix) => stream.startsWith(prefix)) };
}

export const isSystemStream = (stream: string): boolean => stream.startsWith('$');

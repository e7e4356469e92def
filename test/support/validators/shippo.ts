/**
 * Validates with Shippo's own SDK. The value that it reads and writes again must equal the original, which shows that
 * the SDK knows every member.
 */
import { isDeepStrictEqual } from 'node:util';
import { Track$inboundSchema, Track$outboundSchema } from 'shippo/models/components/track.js';
import type { Validate } from './validate.js';

export const validateShippo: Validate = (value) => {
  const read = Track$inboundSchema.safeParse(value);
  if (!read.success) return read.error.issues.map(({ path, message }) => `/${path.join('/')}: ${message}`);
  const problems: string[] = [];
  if (!isDeepStrictEqual(Track$outboundSchema.parse(read.data), value))
    problems.push('/: the SDK writes another object than it read');
  const times = read.data.trackingHistory.map(({ statusDate }) => statusDate?.getTime() ?? 0);
  if (times.some((time, index) => index > 0 && times[index - 1]! > time))
    problems.push('/tracking_history: not earliest first');
  return problems;
};

/** Webhooks of EasyPost: signed with the secret that the business gave to EasyPost and to the account. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { CarrierInbound } from '../port.js';
import { credentialsSchema } from './account.js';
import { eventSchema, trackerSchema } from './objects.js';
import { eventsOf } from './tracking.js';

const HEADER = 'x-hmac-signature';
const SCHEME = 'hmac-sha256-hex=';
/** EasyPost signs whole weights with a decimal place, such as `7.0`, and may send them without it. */
const WHOLE_WEIGHT = /("weight":\s*)(\d+)(\s*)(?=[,}])/g;
const TRACKER_EVENTS = new Set(['tracker.created', 'tracker.updated']);

const messageSchema = z.object({ result: trackerSchema });

export const inbound: CarrierInbound = {
  verify(headers, rawBody, credentials) {
    const secret = credentialsSchema.safeParse(credentials).data?.webhook_secret;
    const signature = headers[HEADER];
    if (secret === undefined || signature === undefined) return false;
    const given = Buffer.from(signature, 'utf8');
    const corrected = rawBody.toString('utf8').replace(WHOLE_WEIGHT, '$1$2.0$3');
    return [rawBody, Buffer.from(corrected, 'utf8')].some((body) => {
      const digest = createHmac('sha256', secret.normalize('NFKD')).update(body).digest('hex');
      const expected = Buffer.from(`${SCHEME}${digest}`, 'utf8');
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  },

  messageId: (body) => eventSchema.safeParse(body).data?.id,

  /** Throws if the event of a tracker is unreadable. */
  events(body) {
    const event = eventSchema.safeParse(body).data;
    if (!event || !TRACKER_EVENTS.has(event.description)) return [];
    return eventsOf(messageSchema.parse(body).result);
  },
};

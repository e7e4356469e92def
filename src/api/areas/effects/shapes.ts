/** Effects in responses. */
import { z } from 'zod';
import { EFFECT_STATUSES, INBOX_KIND, type ListedEffect } from '../../../engines/postgres/effect-list.js';

export const effectSchema = z
  .object({
    id: z.uuid(),
    kind: z
      .string()
      .describe(`Kind of the call, as the area defines it. \`${INBOX_KIND}\`: a message from an external system.`),
    status: z
      .enum(EFFECT_STATUSES)
      .describe(
        '`pending`: the service continues it. `open`: the result is unknown, and the service has stopped to try. `done`: the external system acted, or the message was processed. `refused`: the external system did not act.',
      ),
    subject: z.string().describe('What the call is about, such as the id of a package; for a message: its id.'),
    adapter: z.string().describe('The external system.'),
    account: z.string().describe('The account of the business at the external system.'),
    begun_at: z.string(),
    attempts_made: z.int().describe('Number of calls without a known result, or of attempts to process the message.'),
    cause: z
      .string()
      .nullable()
      .describe(
        'Why the result is unknown: `timeout`, `connection`, `status_<status>`, `unreadable`, `not_repeatable`, `request_changed`; for a message: the name of the error. Null: no call has failed.',
      ),
  })
  .meta({ id: 'Effect' });

export const toEffect = ({
  about,
  begunAt,
  attempts,
  cause,
  stream: _stream,
  ...effect
}: ListedEffect): z.infer<typeof effectSchema> => ({
  ...effect,
  subject: about,
  begun_at: begunAt.toISOString(),
  attempts_made: attempts,
  cause: cause ?? null,
});

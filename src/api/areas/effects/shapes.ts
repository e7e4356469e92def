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
        '`pending`: the service will try again. `open`: the result is unknown, and the service no longer tries. `done`: the call took effect, or the message was processed. `refused`: the call did not take effect.',
      ),
    subject: z.string().describe('Object of the call, such as the id of a package. For a message: id of the message.'),
    adapter: z.string().describe('The external system.'),
    account: z.string().describe('The account of the business at the external system.'),
    begun_at: z.string(),
    attempts_made: z
      .int()
      .describe('Number of attempts whose result is unknown, or number of attempts to process the message.'),
    cause: z
      .string()
      .nullable()
      .describe(
        'Why the result is unknown: `timeout`, `connection`, `status_<status>`, `unreadable`, `not_repeatable`, `request_changed`; For a message: name of the error. Null: no attempt has failed.',
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

/** Schema of the actor of an event, for the API documents. */
import { z } from 'zod';

export const actorSchema = z
  .object({
    kind: z.string(),
    id: z.string(),
    role: z.string().optional().describe('Only of a user.'),
    channel: z.string().describe('Interface that received the request, such as `rest`.'),
  })
  .meta({ id: 'Actor' });

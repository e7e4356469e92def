/** Schema of the actor of an event, for the API documents. */
import { z } from 'zod';

export const actorSchema = z
  .object({
    kind: z.string(),
    id: z.string(),
    role: z.string().optional().describe('Role of the user; absent for other kinds of actors.'),
    channel: z.string().describe('Interface that received the request, such as `rest`.'),
  })
  .meta({ id: 'Actor' });

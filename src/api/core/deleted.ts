/** What a DELETE returns: that it is done, and nothing else (api-style rule 5). */
import { z } from 'zod';

export const deletedSchema = z.object({ result: z.boolean() });

/** Awaits the write, and leaves out what it returned. */
export async function deleted(write: Promise<unknown>): Promise<z.infer<typeof deletedSchema>> {
  await write;
  return { result: true };
}

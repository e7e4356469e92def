/** The response of DELETE: it only confirms the deletion (api-style rule 5). */
import { z } from 'zod';

export const deletedSchema = z.object({ result: z.boolean() });

/** Awaits the write and ignores its result. */
export async function deleted(write: Promise<unknown>): Promise<z.infer<typeof deletedSchema>> {
  await write;
  return { result: true };
}

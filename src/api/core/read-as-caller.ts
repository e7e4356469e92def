/** What the caller of one operation gets of a read: by the same roles, scopes, modules and rules as if it called it. */
import { ApiError } from './errors.js';
import { authorize } from './invoke.js';
import type { Context, Operation } from './operation.js';

type Members = Readonly<Record<string, unknown>>;

/** The response of the read; undefined where the caller may not read it, or it does not exist. */
export async function readAsCaller(read: Operation, input: Members, context: Context): Promise<Members | undefined> {
  try {
    authorize(read, context.caller);
    return (await read.run(read.input.parse(input), context)) as Members;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return undefined;
    throw error;
  }
}

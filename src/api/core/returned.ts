/**
 * A write returns the resource that it changed: the response of the matching read for the same caller. The read runs
 * after the read models have caught up with the write (api-style rule 11).
 */
import { z } from 'zod';
import type { Context, Operation, Returns } from './operation.js';
import { readAsCaller } from './read-as-caller.js';

type Members = Readonly<Record<string, unknown>>;

/** Extends the output of every write with `returns` by the output of its read. Throws if the read does not exist. */
export function withReturned(operations: readonly Operation[]): Operation[] {
  const byName = new Map(operations.map((one) => [one.name, one]));
  return operations.map((write) => {
    const { returns } = write;
    if (!returns) return write;
    const read = byName.get(returns.read);
    if (!read)
      throw new Error(
        `The operation ${write.name} returns the response of ${returns.read}, but no operation has that name. Change \`returns\` of ${write.name}.`,
      );
    return withReadResponse(write, read, returns);
  });
}

function withReadResponse(
  write: Operation,
  read: Operation,
  { input: inputOf, mayBeHidden = false }: Returns,
): Operation {
  const named = Object.keys(read.input.shape);
  const same = (input: Members, result: Members): Members =>
    Object.fromEntries(
      named
        .map((member) => [member, result[member] ?? input[member]] as const)
        .filter(([, value]) => value !== undefined),
    );
  const duplicates = Object.keys(shapeOf(read)).filter((member) => member !== 'result' && member in shapeOf(write));
  if (duplicates.length > 0)
    throw new Error(
      `The outputs of ${write.name} and ${read.name}, whose response it returns, both contain ${duplicates.join(', ')}: rename or remove it.`,
    );
  const { result, ...members } = shapeOf(read);
  const own = Object.keys({ result, ...shapeOf(write) });
  /**
   * The full result of the write by the part that the caller sees: the read may need members that the caller does not
   * see.
   */
  const fullResults = new WeakMap<Members, Members>();
  const added = mayBeHidden ? z.object(members).partial().shape : members;
  const output = z.object({ result, ...shapeOf(write), ...added });
  const { headers, status } = write.rest;
  /**
   * Adds `Location`: the address of the created resource, or of the job that creates it. Callers that cannot read it
   * yet get it too.
   */
  const locationHeaders = (response: Members): Record<string, string> => {
    const location =
      status === undefined ? undefined : addressOf(read, { ...idsIn(response), ...fullResults.get(response) });
    return { ...headers?.(response as never), ...(location !== undefined && { Location: location }) };
  };
  return {
    ...write,
    rest: { ...write.rest, headers: locationHeaders },
    output,
    returned: Object.keys(shapeOf(read)).filter((member) => !(member in shapeOf(write))),
    async run(input, context) {
      const known = (await write.run(input, context)) as Members;
      const shown = Object.fromEntries(Object.entries(known).filter(([member]) => own.includes(member)));
      fullResults.set(shown, known);
      return shown;
    },
    async after(input: Members, result: Members, context: Context) {
      const known = fullResults.get(result) ?? result;
      const readInput = inputOf ? inputOf(input as never, known as never) : same(input, known);
      // Adds nothing if the caller may not read the resource. The write itself has already succeeded.
      const { result: _done, ...resource } = (await readAsCaller(read, readInput, context)) ?? {};
      const response = { ...result, ...resource };
      fullResults.set(response, { ...input, ...known });
      return response;
    },
  };
}

/** The path of the read for the resource; undefined if a part of the path is unknown. */
function addressOf({ rest: { path } }: Operation, known: Members): string | undefined {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  if (names.length === 0 || names.some((name) => !['string', 'number'].includes(typeof known[name]))) return undefined;
  return `/api${path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(known[name])))}`;
}

/** The ids of the resources in a response, under the names by which other resources refer to them. */
const idsIn = (response: Members): Members =>
  Object.fromEntries(
    Object.entries(response).flatMap(([name, resource]) =>
      typeof resource === 'object' && resource !== null && 'id' in resource ? [[`${name}_id`, resource.id]] : [],
    ),
  );

function shapeOf({ name, output }: Operation): z.ZodRawShape {
  if (!(output instanceof z.ZodObject))
    throw new Error(`The output of ${name} is not an object: \`returns\` requires an object from both operations.`);
  return output.shape as z.ZodRawShape;
}

/**
 * Describes errors for the log: their origin and kind. It omits other data that libraries attach to errors (rows that a
 * database refused, failed requests). It also removes values that messages quote, because they may be user input.
 */

/** Members that contain only technical names: places, codes, tables. */
const LOGGED_MEMBERS = [
  'code',
  'severity',
  'schema',
  'table',
  'constraint',
  'routine',
  'errno',
  'syscall',
  'address',
  'port',
  'status',
] as const;
const MAX_CAUSES = 5;

export function describeError(thrown: unknown, depth = 0): unknown {
  if (!(thrown instanceof Error)) return { type: typeof thrown };
  const members = thrown as Error & Partial<Record<(typeof LOGGED_MEMBERS)[number], unknown>>;
  const details = LOGGED_MEMBERS.flatMap((name) =>
    ['string', 'number'].includes(typeof members[name]) ? [[name, members[name]]] : [],
  );
  const inner =
    depth < MAX_CAUSES
      ? [thrown.cause, ...(thrown instanceof AggregateError ? thrown.errors : [])].filter(
          (cause) => cause !== undefined,
        )
      : [];
  return {
    type: thrown.name,
    message: withoutValues(thrown),
    ...Object.fromEntries(details),
    stack: (thrown.stack ?? '')
      .split('\n')
      .filter((line) => /^ +at /.test(line))
      .join('\n'),
    ...(inner.length > 0 && { causes: inner.map((cause) => describeError(cause, depth + 1)) }),
  };
}

/**
 * PostgreSQL's data exceptions (class 22) and parsers quote the invalid input. Messages of other errors quote
 * constraints and tables.
 */
function withoutValues({ name, message, code }: Error & { readonly code?: unknown }): string {
  const quotesInput = name === 'SyntaxError' || (typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code));
  return quotesInput ? message.replace(/"[^]*"|'[^]*'/g, '"…"') : message;
}

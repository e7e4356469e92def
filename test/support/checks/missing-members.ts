/** Compares an answer of an earlier release with today's. */

/** Words for people, which may become better ones. */
const DESCRIPTIONS = /\/description$/;

/** Paths of members of `before` that `now` lacks or has otherwise. Members that `now` adds are no difference. */
export function missingMembers(before: unknown, now: unknown, path = ''): string[] {
  if (DESCRIPTIONS.test(path)) return typeof before === typeof now ? [] : [`${path} is gone`];
  if (typeof before !== 'object' || before === null)
    return before === now ? [] : [`${path}: ${JSON.stringify(before)} became ${JSON.stringify(now)}`];
  if (typeof now !== 'object' || now === null) return [`${path} is gone`];
  return Object.entries(before).flatMap(([name, value]) =>
    missingMembers(value, (now as Record<string, unknown>)[name], `${path}/${name}`),
  );
}

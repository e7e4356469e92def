/** Renames members of stored values that still contain old names. */

/** New names by the path of the old name. `*` matches every item of a list: `packages.*.weight` → `weight_kg`. */
export type RenamedMembers = Readonly<Record<string, string>>;

/** The value with the current names. If a member exists under both names, the current one is kept. */
export const withCurrentMembers = <V>(value: V, renamed: RenamedMembers): V =>
  Object.entries(renamed).reduce((done, [path, name]) => renamedAt(done, path.split('.'), name), value as unknown) as V;

function renamedAt(value: unknown, [step, ...rest]: readonly string[], name: string): unknown {
  if (step === undefined || typeof value !== 'object' || value === null) return value;
  if (step === '*') return Array.isArray(value) ? value.map((item) => renamedAt(item, rest, name)) : value;
  if (Array.isArray(value) || !Object.hasOwn(value, step)) return value;
  const { [step]: inside, ...others } = value as Readonly<Record<string, unknown>>;
  if (rest.length === 0) return { [name]: inside, ...others };
  return { ...others, [step]: renamedAt(inside, rest, name) };
}

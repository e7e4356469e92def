/** Proposals that were stored under old names of operations and of their arguments. */
import { expect } from 'chai';
import { z } from 'zod';
import { describeOperations } from '../../../src/compose/described.js';
import { currentArguments, currentName, RENAMED_MEMBERS } from '../../../src/events/approvals/renamed-operations.js';

describe('renamed operations and arguments', () => {
  const operations = new Map(describeOperations().map((one) => [one.name, one]));

  it('have their current names, also inside of objects and lists', () => {
    const renamed = { thingSet: { old: 'now', 'list[].old': 'inner', 'list[].deep.old': 'deepest', list: 'things' } };
    const given = { old: 1, kept: 2, list: [{ old: 3, deep: { old: 4 } }, null] };
    expect(currentArguments('thingSet', given, renamed)).to.deep.equal({
      now: 1,
      kept: 2,
      things: [{ inner: 3, deep: { deepest: 4 } }, null],
    });
    expect(currentArguments('otherSet', given, renamed)).to.equal(given);
    expect(currentName('fleetDissolve')).to.equal('fleetDelete');
  });

  it('name operations and members that exist, and no old member that still exists', () => {
    for (const [name, members] of Object.entries(RENAMED_MEMBERS)) {
      const { input } = operations.get(name) ?? {};
      expect(input, name).to.not.equal(undefined);
      const paths = pathsOf(z.toJSONSchema(input!, { io: 'input', unrepresentable: 'any' }));
      for (const [old, now] of Object.entries(members)) {
        expect(paths, `the old member ${old} of ${name}`).to.not.include(old);
        const path = currentPath(old, members);
        expect(path.endsWith(now), path).to.equal(true);
        expect(paths, `the new member ${path} of ${name}`).to.include(path);
      }
    }
  });
});

/** The path under the names of now, of a path that contains old ones. */
function currentPath(old: string, names: Readonly<Record<string, string>>): string {
  const parts = old.split('.');
  return parts
    .map((part, index) => {
      const path = parts.slice(0, index + 1).join('.');
      const [, member, lists = ''] = /^(.*?)((?:\[\])*)$/.exec(part)!;
      return (names[lists === '' ? path : path.slice(0, -lists.length)] ?? member!) + lists;
    })
    .join('.');
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}
/** Of all members of a schema, as the table has them. */
function pathsOf(schema: unknown, path = ''): string[] {
  const { properties = {}, items, anyOf = [] } = schema as Schema;
  return [
    ...Object.entries(properties).flatMap(([member, inner]) => {
      const own = path === '' ? member : `${path}.${member}`;
      return [own, ...pathsOf(inner, own)];
    }),
    ...(items ? pathsOf(items, `${path}[]`) : []),
    ...anyOf.flatMap((one) => pathsOf(one, path)),
  ];
}

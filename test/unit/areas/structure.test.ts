/** The structure of `src`: no import cycles, one direction of imports between folders, and limits on file lengths. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';

const MAX_LINES = 250;

const texts: ReadonlyMap<string, string> = new Map(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src', name))
    .map((file) => [file, readFileSync(file, 'utf8')]),
);

/** Files that a file imports, type imports included. */
function importsOf(file: string): string[] {
  const specifiers = [...texts.get(file)!.matchAll(/(?:from|import)\s*\(?'(\.[^']+)\.js'/g)].map(([, path]) => path!);
  return specifiers.map((path) => `${join(dirname(file), path)}.ts`).filter((name) => texts.has(name));
}

const imports: ReadonlyMap<string, readonly string[]> = new Map(
  [...texts.keys()].map((file) => [file, importsOf(file)]),
);

/** The first import cycle that is found, as the list of its nodes. */
function findCircle(edges: ReadonlyMap<string, Iterable<string>>): string[] | undefined {
  const done = new Set<string>();
  const visit = (node: string, way: readonly string[]): string[] | undefined => {
    if (way.includes(node)) return [...way.slice(way.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const next of edges.get(node) ?? []) {
      const circle = visit(next, [...way, node]);
      if (circle) return circle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of edges.keys()) {
    const circle = visit(node, []);
    if (circle) return circle;
  }
  return undefined;
}

function expectNoCircle(edges: ReadonlyMap<string, Iterable<string>>, of: string): void {
  const circle = findCircle(edges);
  const remedy = 'remove one of these imports: move what both need into a file that imports neither';
  expect(circle, `${of} import each other (${circle?.join(' -> ')}): ${remedy}`).to.equal(undefined);
}

/** Lines without those of comments: an explanation must not make a file too long. */
const codeLines = (text: string): number =>
  text.split('\n').filter((line) => line.trim() !== '' && !/^\s*(\/\/|\/\*|\*)/.test(line)).length;

describe('structure of src', () => {
  it('a-house 4: files have no import cycle', () => expectNoCircle(imports, 'files'));

  it('a-house 4: folders of src have no import cycle', () => {
    const roomOf = (file: string): string => file.split('/')[1]!;
    const rooms = new Map<string, Set<string>>();
    for (const [file, others] of imports)
      for (const other of others)
        if (roomOf(other) !== roomOf(file))
          rooms.set(roomOf(file), (rooms.get(roomOf(file)) ?? new Set()).add(roomOf(other)));
    expectNoCircle(rooms, 'folders of src');
  });

  it('finds an import cycle', () =>
    expect(
      findCircle(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', ['b']],
        ]),
      ),
    ).to.deep.equal(['b', 'c', 'b']));

  it('a-house 4: no file has more than 250 lines of code, and half have at most 75', () => {
    const lines = new Map([...texts].map(([file, text]) => [file, codeLines(text)]));
    const long = [...lines].filter(([, count]) => count > MAX_LINES);
    const sentences = long.map(
      ([file, count]) => `${file} has ${count} lines of code: divide it, the limit is ${MAX_LINES}`,
    );
    expect(long, sentences.join('\n')).to.deep.equal([]);
    const sorted = [...lines.values()].sort((a, b) => a - b);
    expect(sorted[sorted.length >> 1], 'median of the lines of a file in src: divide the longest files').to.be.at.most(
      75,
    );
  });
});

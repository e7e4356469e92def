/** Invented persons for searches in large data sets, and the search texts that a user would type. */

export interface Person {
  readonly id: number;
  readonly number: string;
  readonly name: string;
  readonly phone: string;
}

export type Typed = (person: Person) => string;

/** By kind of search text. */
export const TYPED: readonly (readonly [string, Typed])[] = [
  ['tracking number', ({ number }) => number],
  ['whole name', ({ name }) => name],
  ['last name', ({ name }) => name.split(' ')[1]!],
  ['beginning of the last name', ({ name }) => name.split(' ')[1]!.slice(0, -2)],
  ['a letter left out', ({ name }) => name.slice(0, -3) + name.slice(-2)],
  ['two letters swapped', ({ name }) => name.slice(0, -4) + name.at(-3)! + name.at(-4)! + name.slice(-2)],
];

const SYLLABLES =
  'ba be bi bo da de di do fe ga go ha he ka ko la le li lo ma me mi mo na ne ni no pe ra re ri ro sa se si so ta te ti to va we wi'.split(
    ' ',
  );
const FIRST_NAMES =
  'Anna Ben Clara David Emma Felix Greta Hanna Ida Jonas Karla Lukas Maria Noah Olga Paul Rosa Simon Tilda Viktor'.split(
    ' ',
  );

/** Characters of the service's own tracking numbers. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Returns the same person for the same id in every run. There are some fifty thousand last names of three and four
 * syllables.
 */
export function personOf(id: number): Person {
  let state = Math.imul(id, 2_654_435_761) >>> 0 || 1;
  const draw = (below: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
  const first = FIRST_NAMES[draw(FIRST_NAMES.length)]!;
  const last = Array.from({ length: 3 + draw(2) }, () => SYLLABLES[draw(SYLLABLES.length)]!).join('');
  const phone = `+49${100 + draw(900)}${String(1_000_000 + draw(9_000_000))}`;
  const number = `OT${Array.from({ length: 12 }, () => LETTERS[draw(LETTERS.length)]!).join('')}`;
  return { id, number, name: `${first} ${last}`, phone };
}

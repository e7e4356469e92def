/** The forms of an area's name, and their replacement in the text of a template. */

export interface AreaName {
  /** Plural nouns with hyphens: the name of the folder and of the path. */
  readonly plural: string;
  readonly singular: string;
}

const WORDS = /^[a-z]+(-[a-z]+)*$/;

/** Throws an error that explains what is wrong with the name. */
export function areaName(plural: string, singular = singularOf(plural)): AreaName {
  for (const name of [plural, singular])
    if (!WORDS.test(name))
      throw new Error(`The name ${name} must be lower-case words with hyphens between them: parking-spaces.`);
  if (singular === plural)
    throw new Error(
      `The name ${plural} must be a plural. Where plural and singular do not differ in \`s\`, add --singular.`,
    );
  return { plural, singular };
}

/** Applies English rules: `categories` → `category`, `boxes` → `box`, `parking-spaces` → `parking-space`. */
export function singularOf(plural: string): string {
  if (/[^aeiou]ies$/.test(plural)) return plural.replace(/ies$/, 'y');
  if (/(ch|sh|ss|x)es$/.test(plural)) return plural.replace(/es$/, '');
  return plural.replace(/([^s])s$/, '$1');
}

/** The name of the template. */
const SAMPLE: AreaName = { plural: 'sample-things', singular: 'sample-thing' };

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const pascal = (name: string): string => name.split('-').map(capital).join('');

/** Every form of a name in a file, longer ones first. */
const FORMS: readonly ((name: string) => string)[] = [
  pascal, // SampleThing
  (name) => pascal(name).charAt(0).toLowerCase() + pascal(name).slice(1), // sampleThing
  (name) => name.replaceAll('-', '_').toUpperCase(), // SAMPLE_THING
  (name) => name.replaceAll('-', '_'), // sample_thing
  (name) => name, // sample-thing
  (name) => name.replaceAll('-', ' '), // sample thing
  (name) => capital(name.replaceAll('-', ' ')), // Sample thing
  (name) => name.replaceAll('-', ''), // samplething
];

/** Returns the text of a template for an area. */
export function forArea(template: string, area: AreaName): string {
  const pairs = (['plural', 'singular'] as const).flatMap((number) =>
    FORMS.map((form) => [form(SAMPLE[number]), form(area[number])] as const),
  );
  const replacements = new Map(pairs);
  const forms = [...replacements.keys()].sort((a, b) => b.length - a.length);
  return template.replace(new RegExp(forms.join('|'), 'g'), (found) => replacements.get(found)!);
}

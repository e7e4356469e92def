/**
 * Fonts for names and addresses: Latin with Vietnamese, Greek, Cyrillic, Devanagari, Chinese, Japanese, Korean. Each
 * font is split into slices of some hundred characters, so that only the slices of a document's characters are read.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Font } from 'fontkit';
import QuickLRU from 'quick-lru';

/** CSS font weights: regular and bold. */
export type Weight = 400 | 700;

const FAMILIES = ['noto-sans', 'noto-sans-sc', 'noto-sans-tc', 'noto-sans-jp', 'noto-sans-kr'] as const;
type Family = (typeof FAMILIES)[number];

/** For characters that have several shapes, the font of the country is used. */
const FAMILY_OF: Readonly<Record<string, Family>> = {
  JP: 'noto-sans-jp',
  KR: 'noto-sans-kr',
  TW: 'noto-sans-tc',
  HK: 'noto-sans-tc',
  MO: 'noto-sans-tc',
};

export interface PrintFont {
  /** Different for each file and weight. */
  readonly name: string;
  /** TrueType with a single weight. Several documents share the object, because parsing takes 10 ms. */
  readonly font: Font;
}

interface Slice {
  readonly file: string;
  /** Ranges of code points that the slice may contain. */
  readonly ranges: readonly (readonly [from: number, to: number])[];
}

interface Loaded extends PrintFont {
  readonly has: ReadonlySet<number>;
}

const require = createRequire(import.meta.url);
const slices = new Map<Family, Promise<readonly Slice[]>>();
/** Each font takes about 100 KB. */
const loaded = new QuickLRU<string, Promise<Loaded>>({ maxSize: 150 });

/** The font that contains the character, in the shape of the country (ISO 3166-1); undefined if no font contains it. */
export async function fontOf(
  codePoint: number,
  country: string | undefined,
  weight: Weight = 400,
): Promise<PrintFont | undefined> {
  const own = FAMILY_OF[country ?? ''] ?? 'noto-sans-sc';
  for (const family of ['noto-sans', own, ...FAMILIES] as const) {
    for (const slice of await slicesOf(family)) {
      if (!slice.ranges.some(([from, to]) => from <= codePoint && codePoint <= to)) continue;
      const font = await load(slice, weight);
      // Slices overlap, and some lack characters of their ranges.
      if (font.has.has(codePoint)) return font;
    }
  }
  return undefined;
}

function slicesOf(family: Family): Promise<readonly Slice[]> {
  let known = slices.get(family);
  if (!known) slices.set(family, (known = readSlices(family)));
  return known;
}

async function readSlices(family: Family): Promise<Slice[]> {
  const folder = dirname(require.resolve(`@fontsource-variable/${family}/package.json`));
  const ranges = JSON.parse(await readFile(join(folder, 'unicode.json'), 'utf8')) as Record<string, string>;
  return Object.entries(ranges).map(([name, text]) => ({
    file: join(folder, 'files', `${family}-${name.replace(/[[\]]/g, '')}-wght-normal.woff2`),
    ranges: text.split(',').map((range) => {
      const [from, to = from] = range.slice('U+'.length).split('-');
      return [parseInt(from!, 16), parseInt(to!, 16)] as const;
    }),
  }));
}

function load({ file }: Slice, weight: Weight): Promise<Loaded> {
  const name = `${file}:${weight}`;
  let font = loaded.get(name);
  if (!font) {
    font = pin(name, file, weight);
    loaded.set(name, font);
    font.catch(() => loaded.delete(name));
  }
  return font;
}

/** Reduces a variable font to one weight: PDF does not support variable fonts. */
async function pin(name: string, file: string, weight: Weight): Promise<Loaded> {
  // Imported here, so that only processes that print load these libraries.
  const [{ create }, { default: subsetFont }] = await Promise.all([import('fontkit'), import('subset-font')]);
  const woff2 = await readFile(file);
  const all = (create(woff2) as Font).characterSet;
  const data = await subsetFont(woff2, String.fromCodePoint(...all), {
    targetFormat: 'sfnt',
    variationAxes: { wght: weight },
  });
  const font = create(data) as Font;
  return { name, font, has: new Set(font.characterSet) };
}

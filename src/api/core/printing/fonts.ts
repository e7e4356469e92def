/**
 * Fonts for what people are called: Latin with Vietnamese, Greek, Cyrillic, Devanagari, and Chinese, Japanese, Korean.
 * They come in slices of some hundred characters, so that only what a document needs is ever read.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Font } from 'fontkit';
import QuickLRU from 'quick-lru';

const WEIGHT = 400;
const FAMILIES = ['noto-sans', 'noto-sans-sc', 'noto-sans-tc', 'noto-sans-jp', 'noto-sans-kr'] as const;
type Family = (typeof FAMILIES)[number];

/** Where one character has several shapes, each country reads its own. */
const FAMILY_OF: Readonly<Record<string, Family>> = {
  JP: 'noto-sans-jp',
  KR: 'noto-sans-kr',
  TW: 'noto-sans-tc',
  HK: 'noto-sans-tc',
  MO: 'noto-sans-tc',
};

export interface PrintFont {
  readonly name: string;
  /** TrueType, of one weight. */
  readonly data: Buffer;
}

interface Slice {
  readonly file: string;
  /** Code points, from and to: what it may have. */
  readonly ranges: readonly (readonly [from: number, to: number])[];
}

interface Loaded extends PrintFont {
  readonly has: ReadonlySet<number>;
}

const require = createRequire(import.meta.url);
const slices = new Map<Family, Promise<readonly Slice[]>>();
/** About 100 KB each. */
const loaded = new QuickLRU<string, Promise<Loaded>>({ maxSize: 150 });

/** The font that has the character, in the shape of the country (ISO 3166-1); undefined where none has it. */
export async function fontOf(codePoint: number, country: string | undefined): Promise<PrintFont | undefined> {
  const own = FAMILY_OF[country ?? ''] ?? 'noto-sans-sc';
  for (const family of ['noto-sans', own, ...FAMILIES] as const) {
    for (const slice of await slicesOf(family)) {
      if (!slice.ranges.some(([from, to]) => from <= codePoint && codePoint <= to)) continue;
      const font = await load(slice);
      // Slices overlap, and not all contain the characters they cover.
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

function load(slice: Slice): Promise<Loaded> {
  let font = loaded.get(slice.file);
  if (!font) {
    font = pin(slice);
    loaded.set(slice.file, font);
    font.catch(() => loaded.delete(slice.file));
  }
  return font;
}

/** One weight of a variable font: PDF knows no others. */
async function pin({ file }: Slice): Promise<Loaded> {
  // Only processes that print load what prints.
  const [{ create }, { default: subsetFont }] = await Promise.all([import('fontkit'), import('subset-font')]);
  const woff2 = await readFile(file);
  const all = (create(woff2) as Font).characterSet;
  const data = await subsetFont(woff2, String.fromCodePoint(...all), {
    targetFormat: 'sfnt',
    variationAxes: { wght: WEIGHT },
  });
  return { name: file, data, has: new Set((create(data) as Font).characterSet) };
}

/** Finds a font for each character of the texts of a document. */
import { ELLIPSIS, cleanText } from './lines.js';
import { fontOf, type PrintFont, type Weight } from './fonts.js';
import { MissingFont } from './missing-font.js';

/** A text and the country (ISO 3166-1 alpha-2) whose shapes of characters it uses. */
export interface Printed {
  readonly text: string;
  readonly country?: string | undefined;
}

/** Characters of a line that one font contains. */
export interface Run {
  readonly font: PrintFont;
  text: string;
}

export interface FontMap {
  readonly fonts: ReadonlySet<PrintFont>;
  /** Splits a line, which consists of characters of the texts and of `…`, by font. */
  runsOf(line: string, country: string | undefined, weight?: Weight): Run[];
}

const MAX_REPORTED = 20;

/**
 * Loads the fonts of the texts. Throws `MissingFont` with the characters that no font contains: a parcel with an
 * incomplete label could get lost.
 */
export async function loadFonts(texts: readonly (Printed & { readonly weight?: Weight })[]): Promise<FontMap> {
  const fontAt = new Map<string, PrintFont>();
  const missing = new Set<string>();
  const weights = new Set(texts.map(({ weight = 400 }) => weight)).add(400);
  const shortened = [...weights].map((weight) => ({ text: `${ELLIPSIS} `, country: undefined, weight }));
  for (const { text, country, weight = 400 } of [...texts, ...shortened])
    for (const character of cleanText(text)) {
      const key = keyOf(character, country, weight);
      if (character === '\n' || fontAt.has(key)) continue;
      const font = await fontOf(character.codePointAt(0)!, country, weight);
      if (font) fontAt.set(key, font);
      else missing.add(character);
    }
  if (missing.size > 0) throw new MissingFont([...missing].slice(0, MAX_REPORTED));
  return {
    fonts: new Set(fontAt.values()),
    runsOf(line, country, weight = 400) {
      const runs: Run[] = [];
      for (const character of line) {
        const font = fontAt.get(keyOf(character, country, weight)) ?? fontAt.get(keyOf(character, undefined, weight))!;
        const last = runs.at(-1);
        if (last?.font === font) last.text += character;
        else runs.push({ font, text: character });
      }
      return runs;
    },
  };
}

const keyOf = (character: string, country: string | undefined, weight: Weight): string =>
  `${character}${country ?? ''}${weight}`;

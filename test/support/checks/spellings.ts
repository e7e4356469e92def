/** Encodings of a text in which a disk, a dump or a message may contain it, and a search for them. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the encodings by name. */
export function spellingsOf(text: string): ReadonlyMap<string, Buffer> {
  const utf8 = Buffer.from(text);
  const utf16 = Buffer.from(text, 'utf16le');
  const escaped = [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  const base64 = [0, 1, 2].map((offset): [string, Buffer] => {
    const whole = Buffer.concat([Buffer.alloc(offset), utf8]).toString('base64');
    // Omits the characters that depend on neighbouring bytes.
    return [`base64+${offset}`, Buffer.from(whole.slice(offset === 0 ? 0 : offset + 1, -4))];
  });
  return new Map([
    ['utf8', utf8],
    ['small', Buffer.from(text.toLowerCase())],
    ['utf16le', utf16],
    ['utf16be', Buffer.from(utf16).swap16()],
    ['hex', Buffer.from(utf8.toString('hex'))],
    ['HEX', Buffer.from(utf8.toString('hex').toUpperCase())],
    ['escapes', Buffer.from(escaped)],
    ...base64,
  ]);
}

/** Returns `text in spelling` for each occurrence. */
export const spelledIn = (content: Buffer, texts: readonly string[]): string[] =>
  texts.flatMap((text) =>
    [...spellingsOf(text)].filter(([, bytes]) => content.includes(bytes)).map(([name]) => `${text} in ${name}`),
  );

/** Searches all files below the folder. Returns the occurrences and the number of bytes that were searched. */
export async function spelledBelow(
  folder: string,
  texts: readonly string[],
): Promise<{ readonly found: ReadonlySet<string>; readonly bytes: number }> {
  const found = new Set<string>();
  let bytes = 0;
  for (const name of await readdir(folder, { recursive: true })) {
    const file = join(folder, name);
    if (!(await stat(file)).isFile()) continue;
    const content = await readFile(file);
    bytes += content.length;
    for (const one of spelledIn(content, texts)) found.add(`${one} in ${name}`);
  }
  return { found, bytes };
}

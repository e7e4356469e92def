/**
 * Finds tags in XML without parsing it, in linear time: a tag never contains `<` (XML 1.0, sections 2.3 and 3.1). It serves checks before a parser runs: an unusual document may be judged wrongly
 * here, and then only ends the process that reads it.
 */

export interface Tag {
  /** Name without its prefix. */
  readonly name: string;
  /** The prefix with its colon; empty without one. */
  readonly prefix: string;
  /** The text of the attributes. */
  readonly attributes: string;
  /** Position of the tag, and of the first character after it. */
  readonly start: number;
  readonly end: number;
}

/** Yields the opening tags with one of these names (a part of a regular expression), in order. */
export function* elements(xml: string, names: string): Iterable<Tag> {
  const tags = new RegExp(`<([\\w.-]+:)?(${names})(?=[\\s/>])([^<>"']*(?:"[^"<]*"[^<>"']*|'[^'<]*'[^<>"']*)*)>`, 'g');
  for (const { 0: tag, 1: prefix = '', 2: name = '', 3: attributes = '', index } of xml.matchAll(tags))
    yield { name, prefix, attributes, start: index, end: index + tag.length };
}

/** The attributes by their names without prefixes. If names are equal, the last attribute counts. */
export function attributesOf(text: string): Readonly<Record<string, string>> {
  const found = text.matchAll(/(?:[\w.-]+:)?([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  return Object.fromEntries([...found].map(([, name, double, single]) => [name!, decode(double ?? single ?? '')]));
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const decode = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (entity, hex, decimal, name) => {
    if (name) return NAMED[(name as string).toLowerCase()]!;
    const code = hex ? Number.parseInt(hex as string, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });

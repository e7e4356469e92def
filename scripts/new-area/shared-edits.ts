/** The edits of a new area outside of the files of the area, as functions from text to text. */

/** Adds the import of the area in alphabetical order, and the area at the end of the list. */
export function registered(index: string, plural: string, variable: string): string {
  if (index.includes(`from './${plural}.js'`)) return index;
  const line = `import { ${variable} } from './${plural}.js';`;
  const lines = index.split('\n');
  const imports = lines.flatMap((text, at) => (/^import .* from '\.\/[a-z-]+\.js';$/.test(text) ? [at] : []));
  const before = imports.filter((at) => pathOf(lines[at]!) < `./${plural}.js`).at(-1) ?? imports[0]! - 1;
  lines.splice(before + 1, 0, line);
  const end = lines.findIndex((text, at) => at > before && text.startsWith(']'));
  lines.splice(end, 0, `  ${variable},`);
  return lines.join('\n');
}

const pathOf = (line: string): string => /from '(.*)'/.exec(line)![1]!;

/** Adds event types at the end of the group "Master data" in the list of types that no webhook reports. */
export function withoutWebhook(list: string, types: readonly string[]): string {
  const added = types.filter((type) => !list.includes(`'${type}'`)).map((type) => `  '${type}',\n`);
  const group = /^ {2}\/\/ Master data\.\n(?: {2}'\w+',\n)*/m.exec(list);
  if (!group) throw new Error('The list of events without a webhook has no group "Master data".');
  const end = group.index + group[0].length;
  return list.slice(0, end) + added.join('') + list.slice(end);
}

/** Adds error texts after the last error text of a language file. */
export function withTexts(json: string, texts: Readonly<Record<string, string>>): string {
  const file = JSON.parse(json) as { readonly errors: Readonly<Record<string, string>> };
  return `${JSON.stringify({ ...file, errors: { ...file.errors, ...texts } }, null, 2)}\n`;
}

/** Generates the files of a new area, and the edits in files of all areas. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { forArea, type AreaName } from './names.js';
import { registered, withoutWebhook, withTexts } from './shared-edits.js';

const TEMPLATE = 'scripts/new-area/template';
const INDEX = 'src/areas/index.ts';
const WITHOUT_WEBHOOK = 'test/unit/webhooks/events-without-webhook.ts';
const LAYERS = ['src/events', 'src/commands', 'src/projections', 'src/api', 'src/areas', 'test'];
const layerOf = (path: string): number => LAYERS.findIndex((layer) => path.startsWith(layer));

export interface AreaOptions {
  /** Whether agents get a tool that lists the area. */
  readonly tool?: boolean;
}

/** By language, then by error code. */
type Languages = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** File contents by path. */
export type Texts = ReadonlyMap<string, string>;

/** Returns the files of an area in the order of the layers. */
export async function areaFiles(area: AreaName, { tool = false }: AreaOptions = {}): Promise<Texts> {
  const templates = readdirSync(TEMPLATE, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tmpl'))
    .sort((a, b) => layerOf(a) - layerOf(b) || (a < b ? -1 : 1));
  const texts = templates.map(async (name): Promise<[string, string]> => {
    const path = forArea(name.replace(/\.tmpl$/, ''), area);
    const text = forArea(withTool(readFileSync(join(TEMPLATE, name), 'utf8'), tool), area);
    return [path, await formatted(path, text)];
  });
  return new Map(await Promise.all(texts));
}

/** Returns the shared files with the new area added: the list of areas, events without a webhook, and error texts. */
export async function sharedFiles(area: AreaName): Promise<Texts> {
  const types = ['SampleThingSaved', 'SampleThingDeleted'].map((type) => forArea(type, area));
  const languages = JSON.parse(forArea(readFileSync(join(TEMPLATE, 'texts.json'), 'utf8'), area)) as Languages;
  const index = registered(readFileSync(INDEX, 'utf8'), area.plural, forArea('sampleThings', area));
  const list = withoutWebhook(readFileSync(WITHOUT_WEBHOOK, 'utf8'), types);
  return new Map([
    [INDEX, await formatted(INDEX, index)],
    [WITHOUT_WEBHOOK, await formatted(WITHOUT_WEBHOOK, list)],
    ...Object.entries(languages).map(([language, texts]): [string, string] => {
      const path = `src/messages/${language}.json`;
      return [path, withTexts(readFileSync(path, 'utf8'), texts)];
    }),
  ]);
}

/** Writes an area into the working copy. Throws if one of its files already exists. */
export async function writeArea(area: AreaName, options?: AreaOptions): Promise<readonly string[]> {
  const [files, shared] = [await areaFiles(area, options), await sharedFiles(area)];
  const known = [...files.keys()].filter((path) => existsSync(path));
  if (known.length > 0) throw new Error(`There is an area ${area.plural} already: ${known.join(', ')}.`);
  for (const [path, text] of [...files, ...shared]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return [...files.keys()];
}

/** Lines that end with `// tool` are only for areas with a tool. */
const withTool = (template: string, tool: boolean): string =>
  template.replaceAll(/^(.*) \/\/ tool\n/gm, (_line, text: string) => (tool ? `${text}\n` : ''));

const formatted = async (path: string, text: string): Promise<string> =>
  format(text, { ...(await resolveConfig(path)), filepath: path });

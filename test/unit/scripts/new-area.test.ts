/** `npm run new -- area`: the files of an area compile, and docs/add-an-area.md lists them. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { areaFiles, sharedFiles, type Texts } from '../../../scripts/new-area/generate.js';
import { areaName, forArea, singularOf } from '../../../scripts/new-area/names.js';
import { LANGUAGES } from '../../../src/events/core/languages.js';
import { registered, withoutWebhook, withTexts } from '../../../scripts/new-area/shared-edits.js';

const PARKING_SPACES = areaName('parking-spaces');
const MAX_LINES = 300;
const linesOf = (text: string): number => text.split('\n').length - 1;

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile('tsconfig.json', ts.sys.readFile).config,
  { ...ts.sys, readDirectory: () => [] },
  resolve('.'),
);
const OPTIONS: ts.CompilerOptions = { ...options, noEmit: true, incremental: false };

/** The program of some files. `texts` are files that do not exist on disk; files of `before` are not read again. */
function programOf(files: Iterable<string>, texts: Texts, before?: ts.Program): ts.Program {
  const host = ts.createCompilerHost(OPTIONS);
  const known = new Map([...texts].map(([path, text]) => [resolve(path), text]));
  const { readFile, fileExists } = host;
  host.readFile = (path) => known.get(path) ?? readFile(path);
  host.fileExists = (path) => known.has(path) || fileExists(path);
  // The host must not ask the disk for folders that only the new area has.
  delete host.directoryExists;
  const { getSourceFile } = host;
  host.getSourceFile = (path, ...rest) =>
    (known.has(path) ? undefined : before?.getSourceFile(path)) ?? getSourceFile(path, ...rest);
  return ts.createProgram(
    [...files].map((path) => resolve(path)),
    OPTIONS,
    host,
  );
}

/** The compiler's errors in these files. */
const errorsOf = (program: ts.Program, paths: Iterable<string>): string[] =>
  [...paths].flatMap((path) => {
    const file = program.getSourceFile(resolve(path))!;
    const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return found.map(({ messageText }) => `${path}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
  });

describe('a new area', function () {
  it('compiles, and its errors are found', async () => {
    const area = await areaFiles(PARKING_SPACES, { tool: true });
    expect([...area.keys()].filter((path) => existsSync(path))).to.deep.equal([]);
    const texts = new Map([...area, ...(await sharedFiles(PARKING_SPACES))]);
    const program = programOf(area.keys(), texts);
    expect(errorsOf(program, area.keys())).to.deep.equal([]);
    const decider = 'src/commands/parking-spaces/decider.ts';
    const wrong = new Map(texts).set(decider, area.get(decider)!.replace('PARKING_SPACE_NOT_FOUND', 'NO_SUCH_CODE'));
    expect(errorsOf(programOf(area.keys(), wrong, program), [decider])).to.have.length(1);
  });

  it('is in the list of areas, and its events are in that of events without a webhook', async () => {
    const shared = await sharedFiles(PARKING_SPACES);
    const added = [...shared]
      .filter(([path]) => path.endsWith('.ts'))
      .map(([path, text]) => {
        const before = new Set(readFileSync(path, 'utf8').split('\n'));
        return [path, text.split('\n').filter((line) => !before.has(line))] as const;
      });
    expect(new Map(added)).to.deep.equal(
      new Map([
        ['src/areas/index.ts', ["import { parkingSpaces } from './parking-spaces.js';", '  parkingSpaces,']],
        ['test/unit/webhooks/events-without-webhook.ts', ["  'ParkingSpaceSaved',", "  'ParkingSpaceDeleted',"]],
      ]),
    );
  });

  it('has the files and the numbers of lines that docs/add-an-area.md lists', async () => {
    const rows = [...readFileSync('docs/add-an-area.md', 'utf8').matchAll(/^\| `([^`]+)` \|.*\| (\d+) \|$/gm)];
    const documented = rows.map(([, path, lines]) => [path!, Number(lines)] as const);
    const files = [...(await areaFiles(PARKING_SPACES))].map(([path, text]) => [path, linesOf(text)] as const);
    expect(documented).to.deep.equal(files);
    const lines = files.reduce((sum, [, count]) => sum + count, 0);
    expect(lines).to.be.at.most(MAX_LINES);
  });

  it('has texts for its errors in each language', async () => {
    const shared = await sharedFiles(PARKING_SPACES);
    for (const language of LANGUAGES) {
      const path = `src/messages/${language}.json`;
      const before = JSON.parse(readFileSync(path, 'utf8')) as { errors: object };
      const { errors, ...rest } = JSON.parse(shared.get(path)!) as { errors: object };
      expect({ ...rest, errors: { ...errors, ...before.errors } }).to.deep.equal({ ...before, errors });
      expect(Object.keys(errors).slice(-2)).to.deep.equal(['PARKING_SPACE_NOT_FOUND', 'TOO_MANY_PARKING_SPACES']);
    }
    const json = `${JSON.stringify({ errors: { A: 'a' }, entries: {} }, null, 2)}\n`;
    expect(withTexts(json, {}), 'written as before').to.equal(json);
  });

  it('has a name in all forms', () => {
    const forms =
      'SampleThing sampleThings SAMPLE_THING sample_things sample-thing samplethings- Sample things, a sample thing';
    expect(forArea(forms, PARKING_SPACES)).to.equal(
      'ParkingSpace parkingSpaces PARKING_SPACE parking_spaces parking-space parkingspaces- Parking spaces, a parking space',
    );
    expect(['price-lists', 'categories', 'boxes', 'addresses', 'bays', 'warehouses'].map(singularOf)).to.deep.equal([
      'price-list',
      'category',
      'box',
      'address',
      'bay',
      'warehouse',
    ]);
    for (const wrong of ['ParkingSpaces', 'parking_spaces', 'stock', 'returns-'])
      expect(() => areaName(wrong), wrong).to.throw(/must be/);
    expect(areaName('stock', 'stock-item').singular).to.equal('stock-item');
  });

  it('is registered by an import and an entry, once', () => {
    const index = [
      "import { area } from './area.js';",
      "import { skills } from './skills.js';",
      '',
      'export const AREAS = [',
      '  skills,',
      '] as const;',
      '',
    ].join('\n');
    const edited = registered(index, 'parking-spaces', 'parkingSpaces');
    expect(edited.split('\n')).to.deep.equal([
      "import { area } from './area.js';",
      "import { parkingSpaces } from './parking-spaces.js';",
      "import { skills } from './skills.js';",
      '',
      'export const AREAS = [',
      '  skills,',
      '  parkingSpaces,',
      '] as const;',
      '',
    ]);
    expect(registered(edited, 'parking-spaces', 'parkingSpaces')).to.equal(edited);
  });

  it('has its events in the list of those without a webhook, once', () => {
    const list = "[\n  // Master data.\n  'SkillDefined',\n  // Others.\n  'PlanFailed',\n];\n";
    const edited = withoutWebhook(list, ['ReasonSaved']);
    expect(edited).to.equal(
      "[\n  // Master data.\n  'SkillDefined',\n  'ReasonSaved',\n  // Others.\n  'PlanFailed',\n];\n",
    );
    expect(withoutWebhook(edited, ['ReasonSaved'])).to.equal(edited);
    expect(() => withoutWebhook('[]', [])).to.throw('Master data');
  });
});

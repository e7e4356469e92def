/** `npm run new -- area <name>`: writes a new area that compiles and has tests. docs/add-an-area.md describes it. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { writeArea, type AreaOptions } from './new-area/generate.js';
import { areaName, type AreaName } from './new-area/names.js';

const run = (...command: readonly string[]): void => {
  console.log(`> ${command.join(' ')}`);
  execFileSync(command[0]!, command.slice(1), { stdio: 'inherit' });
};

/** Updates files that are generated from the definitions. */
function writeSnapshots(): void {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  for (const name of ['schema', 'fingerprints']) if (scripts[name]) run('npm', 'run', '-s', name);
}

async function addArea(area: AreaName, options: AreaOptions): Promise<void> {
  const files = await writeArea(area, options);
  for (const file of files) console.log(`wrote ${file}`);
  run('npx', 'tsc', '-b');
  writeSnapshots();
  console.log(`
The area ${area.plural} works. Next:
1. Change its members in ${files[0]!}, and their checks in src/api/areas/${area.plural}/operations.ts.
2. Choose callers and scopes in operations.ts; test/support/access/areas/${area.plural}.ts repeats them.
3. Translate the last two errors of src/messages/*.json: five languages say "entry".
4. Extend the tests in test/unit/${area.plural} and test/api/${area.plural}.
5. Run npm run schema and npm run check. docs/add-an-area.md explains each file.`);
  if (options.tool) console.log('6. Add the tool to beyond_specification in test/fixtures/mcp-tools.json.');
}

const program = new Command('npm run new --');
program
  .command('area')
  .description('Write the files of a new area and register it')
  .argument('<name>', 'plural noun with hyphens between words: parking-spaces')
  .option('--singular <name>', 'the singular, where the plural does not show it')
  .option('--tool', 'add a tool for agents that lists the area')
  .action(async (name: string, options: AreaOptions & { readonly singular?: string }) => {
    try {
      await addArea(areaName(name, options.singular), options);
    } catch (error) {
      program.error((error as Error).message);
    }
  });
await program.parseAsync();

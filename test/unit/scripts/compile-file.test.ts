/** `npm run dev` writes the same JavaScript as the compiler. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { compiled, compileFile } from '../../../scripts/dev/compile-file.js';

describe('compiling one file', () => {
  const files = ['src/commands/core/entity.ts', 'src/api/graphql/schema.ts', 'src/api/pages/approvals/dom.ts'];

  for (const file of files)
    it(`produces the output of the compiler for ${file}`, () => {
      const { output, text } = compiled(file);
      expect(text).to.equal(readFileSync(output, 'utf8'));
    });

  it('writes a changed file with its source map, and nothing for a deleted file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'transport-compile-'));
    try {
      const options = { module: 'NodeNext', target: 'ES2023', rootDir: '.', outDir: 'out', sourceMap: true };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
      const file = join(folder, 'one.ts');
      writeFileSync(file, 'export const one: number = 1;\n');
      expect(compileFile(file)).to.equal(true);
      expect(readFileSync(join(folder, 'out/one.js'), 'utf8')).to.contain('export const one = 1;');
      const map = JSON.parse(readFileSync(join(folder, 'out/one.js.map'), 'utf8')) as { sources: string[] };
      expect(map.sources).to.deep.equal(['../one.ts']);
      expect(compileFile(file), 'unchanged').to.equal(false);
      writeFileSync(file, 'export const one: number = 2;\n');
      expect(compileFile(file)).to.equal(true);
      expect(compileFile(join(folder, 'two.ts'))).to.equal(false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** Compiles one file without its imports. This takes tenths of a second; the whole program takes ten seconds. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

/**
 * Writes the JavaScript and the source map of a file, or copies a JSON file. Returns false if the file no longer exists
 * or its JavaScript is unchanged.
 */
export function compileFile(file: string): boolean {
  if (!existsSync(file)) return false;
  const { output, text, map } = compiled(file);
  if (existsSync(output) && readFileSync(output, 'utf8') === text) return false;
  mkdirSync(dirname(output), { recursive: true });
  if (map !== undefined) writeFileSync(`${output}.map`, map);
  writeFileSync(output, text);
  return true;
}

/** Compiles a file with the options of the closest tsconfig.json. Returns the JavaScript and its output path. */
export function compiled(file: string): { readonly output: string; readonly text: string; readonly map?: string } {
  const options = optionsOf(file);
  const path = join(options.outDir!, relative(options.rootDir!, resolve(file)));
  if (file.endsWith('.json')) return { output: path, text: readFileSync(file, 'utf8') };
  const output = path.replace(/\.ts$/, '.js');
  const { outputText: text, sourceMapText } = ts.transpileModule(readFileSync(file, 'utf8'), {
    fileName: basename(file),
    // The package uses ES modules, which the compiler cannot detect from a single file.
    compilerOptions: { ...options, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
  });
  if (sourceMapText === undefined) return { output, text };
  const sources = [relative(dirname(output), resolve(file))];
  return { output, text, map: JSON.stringify({ ...(JSON.parse(sourceMapText) as object), sources }) };
}

function optionsOf(file: string): ts.CompilerOptions {
  const config = ts.findConfigFile(resolve(dirname(file)), ts.sys.fileExists)!;
  const { config: json } = ts.readConfigFile(config, ts.sys.readFile) as { readonly config: unknown };
  // Only the options are needed: no folder is searched for files.
  return ts.parseJsonConfigFileContent(json, { ...ts.sys, readDirectory: () => [] }, dirname(config)).options;
}

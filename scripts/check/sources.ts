/** The TypeScript files of the repository with the files that they import. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Source {
  readonly text: string;
  /** Paths of imported files, including type imports, relative to the repository. */
  readonly imports: readonly string[];
}

/** By path relative to the repository. */
export type Sources = ReadonlyMap<string, Source>;

/** Reads the folders of the current directory. */
export function readSources(...folders: readonly string[]): Sources {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  return new Map(files.map((file) => [file, sourceOf(file, readFileSync(file, 'utf8'))]));
}

export function sourceOf(file: string, text: string): Source {
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?'(\.[^']+)\.js'/g)].map(([, path]) => path!);
  return { text, imports: specifiers.map((path) => `${join(dirname(file), path)}.ts`) };
}

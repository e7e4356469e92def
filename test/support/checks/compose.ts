/** The compose files as Docker reads them: anchors and merge keys are resolved. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

export const DOCKER = 'docker';

export interface ComposeService {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly env_file?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly deploy?: { readonly replicas?: number };
  readonly profiles?: readonly string[];
}

export interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

export const COMPOSE_FILES = ['compose.yaml', 'compose.cluster.yaml'] as const;

export async function readCompose(file: (typeof COMPOSE_FILES)[number]): Promise<Compose> {
  return parse(await readFile(join(DOCKER, file), 'utf8'), { merge: true }) as Compose;
}

/** Returns the command of a health check without its type; Docker reads `$$` as `$`. */
export const commandOf = ({ healthcheck }: ComposeService): string[] =>
  healthcheck!.test.slice(1).map((word) => word.replaceAll('$$', '$'));

/**
 * The official EPCIS files, if they are present: the ratified JSON Schema, the JSON-LD context, the sample documents.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from 'mocha';
import { Ajv, type ValidateFunction } from 'ajv';
import * as formats from 'ajv-formats';
import jsonld from 'jsonld';
import { skip } from '../run-summary.js';

const SHARED = process.env['SHARED_DIR'] ?? '../shared';
const STANDARD = join(SHARED, 'standards/epcis');
const SAMPLES = join(SHARED, 'samples/epcis');
const CONTEXT = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld';

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

/** Skips the suite with a reason if the folder of official files is absent. */
export function needs(suite: Context, folder: 'standards' | 'samples'): void {
  const path = folder === 'standards' ? STANDARD : SAMPLES;
  if (existsSync(path)) return;
  skip(suite, `no ${path} (SHARED_DIR)`);
}

/** Returns the validator of the ratified JSON Schema; its errors are in `.errors`. */
export function officialSchema(): ValidateFunction {
  const ajv = new Ajv({ strict: false, allErrors: false });
  formats.default.default(ajv);
  return ajv.compile(readJson(join(STANDARD, 'epcis-json-schema-2.0.1.json')) as object);
}

/** JSON-LD expansion that fails if it would drop a term, and that loads no context except that of GS1. */
export async function expandSafely(document: unknown): Promise<unknown[]> {
  const context = readJson(join(STANDARD, 'epcis-context-2.0.0.jsonld'));
  const documentLoader = (url: string) => {
    if (url !== CONTEXT) return Promise.reject(new Error(`not a context of ours: ${url}`));
    return Promise.resolve({ documentUrl: url, document: context as object, contextUrl: undefined });
  };
  return jsonld.expand(
    document as jsonld.JsonLdDocument,
    { documentLoader, safe: true } as jsonld.Options.Expand,
  ) as Promise<unknown[]>;
}

export interface Sample {
  readonly name: string;
  readonly document: unknown;
}

/** Returns the sample documents of the standard; none if the folder is absent. */
export function samples(folder = SAMPLES): Sample[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory()
        ? samples(path)
        : [{ name: path.slice(SAMPLES.length + 1), document: readJson(path) }];
    });
}

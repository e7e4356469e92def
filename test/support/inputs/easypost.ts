/** Recordings of EasyPost's test mode, from the official library. They are read from the shared folder. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from 'mocha';
import { skip } from '../run-summary.js';

const FOLDER = join(process.env['SHARED_DIR'] ?? '../shared', 'samples/easypost/test/cassettes');

/** For a `before` hook: skips the suite with a reason if the recordings are absent. */
export function needsRecordings(test: Context): void {
  if (!existsSync(FOLDER)) skip(test, 'no recordings of EasyPost (SHARED_DIR)');
}

export interface Recorded {
  /** Name of the recorded test, without its number. */
  readonly of: string;
  readonly method: string;
  /** Such as `/v2/shipments/shp_1/buy`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly status: number;
  readonly request: unknown;
  readonly response: unknown;
}

interface Har {
  readonly log: {
    readonly entries: readonly {
      readonly request: {
        readonly method: string;
        readonly url: string;
        readonly postData?: { readonly text: string };
      };
      readonly response: { readonly status: number; readonly content: { readonly text?: string } };
    }[];
  };
}

/** The number of recordings, and their calls of EasyPost with a JSON response. */
export function readRecordings(): { readonly files: number; readonly calls: readonly Recorded[] } {
  const files = readdirSync(FOLDER).flatMap((service) =>
    readdirSync(join(FOLDER, service)).map((name) => ({ name, file: join(FOLDER, service, name, 'recording.har') })),
  );
  const calls = files.flatMap(({ name, file }) =>
    (JSON.parse(readFileSync(file, 'utf8')) as Har).log.entries.flatMap(({ request, response }): Recorded[] => {
      const { hostname, pathname, searchParams } = new URL(request.url);
      const text = response.content.text ?? '';
      if (hostname !== 'api.easypost.com' || text === '') return [];
      return [
        {
          of: name.replace(/_\d+$/, ''),
          method: request.method,
          path: pathname,
          query: searchParams,
          status: response.status,
          request: request.postData ? JSON.parse(request.postData.text) : undefined,
          response: JSON.parse(text),
        },
      ];
    }),
  );
  return { files: files.length, calls };
}

/** All objects within a value. */
export function objectsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inner : [value as Readonly<Record<string, unknown>>, ...inner];
}

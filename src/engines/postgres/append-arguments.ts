/** Appends as log.append_events takes them: arrays that run in parallel, so that many streams go in one call. */
import type { JsonObject, StreamAppend } from '../../events/log.js';
import { arrayOf, binaryArrayOf, integersOf } from '../../sql/rows.js';

export interface AppendArguments {
  /** All of it, in the order of the parameters. */
  readonly values: readonly (string | Buffer)[];
  /** The kinds of events, and what the events of one command share. */
  readonly types: readonly string[];
  readonly versions: readonly number[];
  readonly metadata: readonly JsonObject[];
  /** By event, in the order of the appends: ordinals (from 1) of these; its id; the JSON of its data. */
  readonly typeOf: Buffer;
  readonly metadataOf: Buffer;
  readonly ids: string;
  readonly data: Buffer;
}

export function toArguments(appends: readonly StreamAppend[]): AppendArguments {
  const types: string[] = [];
  const versions: number[] = [];
  const metadata: JsonObject[] = [];
  const streamOf: number[] = [];
  const typesOf: number[] = [];
  const metadataOf: number[] = [];
  const revisions: number[] = [];
  const ids: string[] = [];
  const data: string[] = [];

  /** Ordinal of the kind of event; there are few in a call. */
  function kindOf(type: string, version: number): number {
    const known = types.findIndex((other, index) => other === type && versions[index] === version);
    if (known >= 0) return known + 1;
    versions.push(version);
    return types.push(type);
  }

  appends.forEach(({ events, expected }, index) => {
    let revision = expected === 'no-stream' ? 0 : expected + 1;
    for (const event of events) {
      if (event.metadata !== metadata.at(-1)) metadata.push(event.metadata);
      streamOf.push(index + 1);
      typesOf.push(kindOf(event.type, event.version));
      metadataOf.push(metadata.length);
      revisions.push(revision++);
      ids.push(event.id);
      data.push(JSON.stringify(event.data));
    }
  });
  const told = { types, versions, metadata, typeOf: integersOf(typesOf), metadataOf: integersOf(metadataOf), ids: arrayOf('uuid', ids), data: binaryArrayOf('json', data) };
  const values = [
    arrayOf('text', appends.map(({ stream }) => stream)), integersOf(appends.map(({ expected }) => (expected === 'no-stream' ? -1 : expected))),
    arrayOf('text', types), arrayOf('integer', versions), binaryArrayOf('json', metadata.map((each) => JSON.stringify(each))),
    integersOf(streamOf), told.typeOf, told.metadataOf, integersOf(revisions), told.ids, told.data,
  ];
  return { ...told, values };
}

/** Appends as log.append_events takes them: arrays that run in parallel, so that many streams go in one call. */
import type { JsonObject, StreamAppend } from '../../events/log.js';
import { arrayOf, binaryArrayOf, integersOf } from '../../sql/rows.js';

/** `texts`: the JSON of each event's data. */
export function toArguments(appends: readonly StreamAppend[], texts: readonly (readonly string[])[]): (string | Buffer)[] {
  const types: string[] = [];
  const versions: number[] = [];
  const metadata: string[] = [];
  const streamOf: number[] = [];
  const typeOf: number[] = [];
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

  let last: JsonObject | undefined;
  appends.forEach(({ events, expected }, index) => {
    let revision = expected === 'no-stream' ? 0 : expected + 1;
    events.forEach((event, at) => {
      if (event.metadata !== last) metadata.push(JSON.stringify((last = event.metadata)));
      streamOf.push(index + 1);
      typeOf.push(kindOf(event.type, event.version));
      metadataOf.push(metadata.length);
      revisions.push(revision++);
      ids.push(event.id);
      data.push(texts[index]![at]!);
    });
  });
  return [
    arrayOf('text', appends.map(({ stream }) => stream)), integersOf(appends.map(({ expected }) => (expected === 'no-stream' ? -1 : expected))), arrayOf('text', types), arrayOf('integer', versions), binaryArrayOf('json', metadata),
    integersOf(streamOf), integersOf(typeOf), integersOf(metadataOf), integersOf(revisions), arrayOf('uuid', ids), binaryArrayOf('json', data),
  ];
}

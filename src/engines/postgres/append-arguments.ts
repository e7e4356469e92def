/** Appends as log.append takes them: arrays that run in parallel, so that many streams go in one call. */
import type { JsonObject, StreamAppend } from '../../events/log.js';
import { arrayOf } from '../../sql/rows.js';

/** `texts`: the JSON of each event's data. */
export function toArguments(appends: readonly StreamAppend[], texts: readonly (readonly string[])[]): string[] {
  const streamOf: number[] = [];
  const revisions: number[] = [];
  const ids: string[] = [];
  const types: string[] = [];
  const versions: number[] = [];
  const metadataOf: number[] = [];
  const metadata: string[] = [];
  let last: JsonObject | undefined;
  appends.forEach(({ events, expected }, index) => {
    let revision = expected === 'no-stream' ? 0 : expected + 1;
    for (const event of events) {
      if (event.metadata !== last) metadata.push(JSON.stringify((last = event.metadata)));
      streamOf.push(index + 1);
      revisions.push(revision++);
      ids.push(event.id);
      types.push(event.type);
      versions.push(event.version);
      metadataOf.push(metadata.length);
    }
  });
  return [
    arrayOf('text', appends.map(({ stream }) => stream)), arrayOf('integer', appends.map(({ expected }) => (expected === 'no-stream' ? -1 : expected))), arrayOf('integer', streamOf),
    arrayOf('integer', revisions), arrayOf('uuid', ids), arrayOf('text', types), arrayOf('integer', versions), `[${texts.flat().join()}]`, arrayOf('integer', metadataOf), `[${metadata.join()}]`,
  ];
}

/** Converts appends to the arguments of log.append_events: parallel arrays, so that many streams fit into one call. */
import type { JsonObject } from '../../events/core/log.js';
import { arrayOf, binaryArrayOf, elementsOf, integersOf } from '../../sql/rows.js';
import { firstRevision, type SerializedAppend } from './written-append.js';

/** Arguments in the order of the function's parameters. */
export function toArguments(appends: readonly SerializedAppend[]): (string | Buffer)[] {
  const types: string[] = [];
  const versions: number[] = [];
  const metadata: JsonObject[] = [];
  const streamOf: number[] = [];
  const typeOf: number[] = [];
  const metadataOf: number[] = [];
  const revisions: number[] = [];

  /** Ordinal of the event type and version; a call has few of them. */
  function kindOf(type: string, version: number): number {
    const known = types.findIndex((other, index) => other === type && versions[index] === version);
    if (known >= 0) return known + 1;
    versions.push(version);
    return types.push(type);
  }

  appends.forEach((append, index) => {
    const first = firstRevision(append);
    for (let at = 0; at < append.length; at++) {
      // The events of one command share one metadata object.
      if (append.metadata[at] !== metadata.at(-1)) metadata.push(append.metadata[at]!);
      streamOf.push(index + 1);
      typeOf.push(kindOf(append.types[at]!, append.versions[at]!));
      metadataOf.push(metadata.length);
      revisions.push(first + at);
    }
  });
  return [
    arrayOf(
      'text',
      appends.map(({ stream }) => stream),
    ),
    integersOf(appends.map((append) => firstRevision(append) - 1)),
    arrayOf('text', types),
    arrayOf('integer', versions),
    binaryArrayOf('json', metadata.length, [elementsOf(metadata.map((each) => JSON.stringify(each)))]),
    integersOf(streamOf),
    integersOf(typeOf),
    integersOf(metadataOf),
    integersOf(revisions),
    `{${appends.map(({ ids }) => ids).join()}}`,
    binaryArrayOf(
      'json',
      streamOf.length,
      appends.map(({ data }) => data),
    ),
  ];
}

/**
 * Uploaded files of map layers. A file belongs to one map, is encrypted with the map's key, and is deleted with its
 * layer. After a crash between the writes to the layer and to the file, the retry completes the work.
 */
import type { GeoJsonPiece } from '../../../engines/file-reader/kinds/geojson.js';
import type { FileReaders } from '../../../engines/file-reader/readers.js';
import type { FileInfo, Files } from '../../../engines/files/files.js';
import { mapStream, type Layer } from '../../../events/maps/events.js';
import { createByteCache } from '../../core/byte-cache.js';
import { fieldError } from '../../core/errors.js';
import { loadFile } from '../files/load-file.js';
import { readAll } from '../files/read-pieces.js';
import { feature, MAX_FEATURES, type Feature } from './feature.js';

/** The map whose layers are set, and the user who sets them. */
export interface Uploader {
  readonly business: number;
  readonly userId: number;
  readonly mapId: number;
}

export type LayerFiles = ReturnType<typeof createLayerFiles>;

/** Bytes of features that a process keeps: more than the files of one map, which has at most 20 layers of 2 MiB. */
const MAX_CACHED_BYTES = 64 * 1_048_576;

const fileIds = (layers: readonly Layer[]): string[] => layers.flatMap(({ source }) => source.geojson?.file_id ?? []);

export function createLayerFiles(files: Files, readers: FileReaders) {
  /**
   * Features of files as JSON. A published map is read without sign-in, so its files must not occupy the reader
   * processes of the business. The bytes of a file never change.
   */
  const cache = createByteCache(MAX_CACHED_BYTES);

  /** Pieces of the GeoJSON. `properties`: undefined reads the names of all properties. */
  const read = ({ id, business }: FileInfo, properties?: readonly string[]): Promise<readonly GeoJsonPiece[]> =>
    readAll(
      readers,
      'geojson',
      () => loadFile(files, id),
      { maxFeatures: MAX_FEATURES, ...(properties && { properties }) },
      { business, field: 'file_id' },
    );

  async function featuresAsJson(info: FileInfo, shown: readonly string[]): Promise<Buffer> {
    const found = (await read(info, shown)).flatMap((piece) => ('features' in piece ? piece.features : []));
    return Buffer.from(
      JSON.stringify(found.map(({ geometry, properties }, index) => feature(index + 1, geometry, properties))),
    );
  }

  return {
    /** Property names of a file that the map may use. Throws FILE_NOT_FOUND, GEOJSON_INVALID. */
    async propertiesOf(id: string, { business, userId, mapId }: Uploader, path: string): Promise<ReadonlySet<string>> {
      const info = await files.find(id);
      // Accepts an unused upload of this user, or a file that the map already uses.
      const isUsable = info && (info.used_at === null ? info.owner === userId : info.subject === mapStream(mapId));
      if (!isUsable || info.purpose !== 'map' || info.business !== business)
        throw fieldError('FILE_NOT_FOUND', 'file_id', {}, path);
      return new Set((await read(info)).flatMap((piece) => ('names' in piece ? piece.names : [])));
    },
    /** Features of a file layer; empty if the file no longer exists. */
    async featuresOf(id: string, shown: readonly string[]): Promise<Feature[]> {
      // The cache may still contain a file that was removed or erased.
      const info = await files.find(id);
      if (!info) return [];
      const json = await cache.get(JSON.stringify([id, ...shown]), () => featuresAsJson(info, shown));
      return JSON.parse(json.toString()) as Feature[];
    },
    /**
     * Marks the files of the current layers as used, and deletes files of the earlier layers that are no longer used.
     */
    async syncUsage(mapId: number, before: readonly Layer[], now: readonly Layer[]): Promise<void> {
      const usedIds = new Set(fileIds(now));
      for (const id of usedIds) await files.use(id, mapStream(mapId));
      for (const id of fileIds(before)) if (!usedIds.has(id)) await files.remove(id);
    },
  };
}

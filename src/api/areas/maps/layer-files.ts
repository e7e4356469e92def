/**
 * Uploaded files of map layers. A file belongs to one map, is encrypted with the map's key, and is deleted with its
 * layer. After a crash between the writes to the layer and to the file, the retry completes the work.
 */
import type { GeoJsonPiece } from '../../../engines/file-reader/kinds/geojson.js';
import type { FileReaders } from '../../../engines/file-reader/readers.js';
import { FileDamaged, type FileInfo, type Files } from '../../../engines/files/files.js';
import { mapStream, type Layer } from '../../../events/maps/events.js';
import { ApiError, fieldError } from '../../core/errors.js';
import { readAll } from '../files/read-pieces.js';
import { feature, MAX_FEATURES, type Feature } from './feature.js';

/** The map whose layers are set, and the user who sets them. */
export interface Uploader {
  readonly business: number;
  readonly userId: number;
  readonly mapId: number;
}

export type LayerFiles = ReturnType<typeof createLayerFiles>;

const fileIds = (layers: readonly Layer[]): string[] => layers.flatMap(({ source }) => source.geojson?.file_id ?? []);

export function createLayerFiles(files: Files, readers: FileReaders) {
  /** Pieces of the GeoJSON. `properties`: undefined reads the names of all properties. */
  const read = (
    { content, business }: Pick<FileInfo, 'business'> & { readonly content: Buffer },
    properties?: readonly string[],
  ): Promise<readonly GeoJsonPiece[]> =>
    readAll(
      readers,
      'geojson',
      content,
      { maxFeatures: MAX_FEATURES, ...(properties && { properties }) },
      { business, field: 'file_id' },
    );
  const open = (id: string) =>
    files.open(id).catch((cause: unknown) => {
      throw cause instanceof FileDamaged ? new ApiError('FILE_DAMAGED', { cause }) : cause;
    });

  return {
    /** Property names of a file that the map may use. Throws FILE_NOT_FOUND, GEOJSON_INVALID. */
    async propertiesOf(id: string, { business, userId, mapId }: Uploader, path: string): Promise<ReadonlySet<string>> {
      const info = await files.find(id);
      // Accepts an unused upload of this user, or a file that the map already uses.
      const isUsable = info && (info.used_at === null ? info.owner === userId : info.subject === mapStream(mapId));
      const file = isUsable && info.purpose === 'map' && info.business === business ? await open(id) : undefined;
      if (!file) throw fieldError('FILE_NOT_FOUND', 'file_id', {}, path);
      return new Set((await read(file)).flatMap((piece) => ('names' in piece ? piece.names : [])));
    },
    /** Features of a file layer; empty if the file no longer exists. */
    async featuresOf(id: string, shown: readonly string[]): Promise<Feature[]> {
      const file = await open(id);
      if (!file) return [];
      const found = (await read(file, shown)).flatMap((piece) => ('features' in piece ? piece.features : []));
      return found.map(({ geometry, properties }, index) => feature(index + 1, geometry, properties));
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

/**
 * Uploaded files behind the layers of maps. A file is of one map, sealed under its key; with the layer it goes. What a
 * crash leaves between layer and file is taken up by the retry.
 */
import { FileDamaged, type Files } from '../../../engines/files/files.js';
import { mapStream, type Layer } from '../../../events/maps/events.js';
import { ApiError, fieldError } from '../../core/errors.js';
import type { Feature } from './feature.js';
import { shownFeatures, uploadedFeatures } from './uploaded.js';

/** Who sets the layers of which map. */
export interface Uploader {
  readonly business: number;
  readonly userId: number;
  readonly mapId: number;
}

export type LayerFiles = ReturnType<typeof createLayerFiles>;

const fileIds = (layers: readonly Layer[]): string[] => layers.flatMap(({ source }) => source.geojson?.file_id ?? []);

export function createLayerFiles(files: Files) {
  const open = (id: string) =>
    files.open(id).catch((cause: unknown) => {
      throw cause instanceof FileDamaged ? new ApiError('FILE_DAMAGED', { cause }) : cause;
    });

  return {
    /** Names of the properties in a file that the map may have. Throws FILE_NOT_FOUND, GEOJSON_INVALID. */
    async propertiesOf(id: string, { business, userId, mapId }: Uploader, path: string): Promise<ReadonlySet<string>> {
      const info = await files.find(id);
      // An own upload that nothing has yet, or what the map has already.
      const isFit = info && (info.used_at === null ? info.owner === userId : info.subject === mapStream(mapId));
      const file = isFit && info.purpose === 'map' && info.business === business ? await open(id) : undefined;
      if (!file) throw fieldError('FILE_NOT_FOUND', 'file_id', {}, path);
      const found = uploadedFeatures(file.content, 'file_id');
      return new Set(found.flatMap(({ properties }) => Object.keys(properties ?? {})));
    },
    /** Of a layer; none where its file is gone. */
    async featuresOf(id: string, shown: readonly string[]): Promise<Feature[]> {
      const file = await open(id);
      return file ? shownFeatures(uploadedFeatures(file.content, 'file_id'), shown) : [];
    },
    /** The map has these layers now: their files stay, those of the layers before go. */
    async settle(mapId: number, before: readonly Layer[], now: readonly Layer[]): Promise<void> {
      const kept = new Set(fileIds(now));
      for (const id of kept) await files.use(id, mapStream(mapId));
      for (const id of fileIds(before)) if (!kept.has(id)) await files.remove(id);
    },
  };
}

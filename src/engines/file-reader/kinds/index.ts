/** What a reader process can read. Each kind is loaded when the first file of the kind arrives. */
import type { ArchivePiece } from './archive.js';
import type { GeoJsonOptions, GeoJsonPiece } from './geojson.js';
import type { TableOptions, TablePiece } from './table.js';

/** The options and the pieces of each kind. */
export interface Kinds {
  readonly table: { readonly options: TableOptions; readonly piece: TablePiece };
  readonly picture: { readonly options: { readonly mediaType: string }; readonly piece: Uint8Array };
  readonly archive: { readonly options: Record<never, never>; readonly piece: ArchivePiece };
  readonly geojson: { readonly options: GeoJsonOptions; readonly piece: GeoJsonPiece };
}
export type Kind = keyof Kinds;

type Pieces<K extends Kind> = AsyncIterable<Kinds[K]['piece']> | Iterable<Kinds[K]['piece']>;
type Reading<K extends Kind> = (content: Buffer, options: Kinds[K]['options']) => Pieces<K>;

export const KINDS: { readonly [K in Kind]: () => Promise<Reading<K>> } = {
  table: async () => (await import('./table.js')).readTable,
  picture: async () => (await import('./picture.js')).readPicture,
  archive: async () => (await import('./archive.js')).readArchive,
  geojson: async () => (await import('./geojson.js')).readGeoJson,
};

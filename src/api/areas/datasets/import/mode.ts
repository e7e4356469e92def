/** Which rows an import accepts, by their key: `insert` only new keys, `update` only existing keys, `upsert` both. */
export const IMPORT_MODES = ['insert', 'update', 'upsert'] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

/** What an import does with a key that is there, or is not: `insert` takes new ones alone, `update` known ones, `upsert` both. */
export const IMPORT_MODES = ['insert', 'update', 'upsert'] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

/**
 * Streams that the benchmark appends to without a service. No read model reads their area, so a service on the same log
 * ignores them.
 */
export const streamOf = (id: string): string => `benchmark-${id}`;

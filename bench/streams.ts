/**
 * Streams that the benchmark appends to, without a service. No read model of the service reads their area: a service
 * that is started on the same log ignores them.
 */
export const streamOf = (id: string): string => `benchmark-${id}`;

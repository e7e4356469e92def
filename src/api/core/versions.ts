/**
 * Versions of resources (api-style rule 24): a resource has the revision of its stream as `version`, and a change with
 * another `if_version` is refused. Operations name the stream: `versioned: versionBy('fleet_id', fleetStream)`.
 */
import { z } from 'zod';
import { businessOf } from './callers.js';
import type { Versioned } from './operation.js';

/** The member `version` of a resource. */
export const versionSchema = z.int().describe('Version for `If-Match` and `if_version`. Each change increases it.');
/** The member `version` of settings, which exist before their first change. */
export const settingsVersionSchema = versionSchema.describe(
  'Version for `If-Match` and `if_version`. Each change increases it. -1: never changed.',
);
/** The member `version` of a resource that partners can also read. */
export const ownVersionSchema = versionSchema
  .optional()
  .describe('Version for `If-Match` and `if_version`. Each change increases it. Absent for partners.');

export const versionOf = (stream: Versioned['stream'], part?: Versioned['part']): Versioned => ({
  code: 'VERSION_CHANGED',
  stream,
  ...(part && { part }),
});

/** The version of a resource whose id is a member of the input. */
export const versionBy = (member: string, streamOf: (id: number) => string, part?: string): Versioned =>
  versionOf((input) => streamOf(input[member] as number), part === undefined ? undefined : () => part);

/** The version of the settings of the caller's business. */
export const versionByBusiness = (streamOf: (business: number) => string): Versioned =>
  versionOf((_input, caller) => streamOf(businessOf(caller)));

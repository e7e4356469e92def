/** The public link of a map: publish, replace, unpublish. */
import { createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import { withFormat } from '../../../events/core/format.js';
import type { MapChange } from '../../../commands/maps/decider.js';
import { publicIdOf } from '../../../events/maps/events.js';
import type { Caller } from '../../core/callers.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import { MAP_VERSION } from './shapes.js';

export const WRITE = {
  area: 'Custom Maps',
  callers: ['client_admin', 'employee'],
  scopes: ['datasets:write'],
  awaits: ['maps'],
  writes: true,
  risk: 'medium',
} as const;
export const NOT_FOUND = { 404: 'There is no such map, or the caller cannot see it.' };
export const NOT_PUBLIC_ANSWER = {
  422: '`LAYER_NOT_PUBLIC`: a layer shows a personal column, routes or drivers, so the map cannot be published.',
};
export const PUBLISHED_ANSWER = '`MAP_PUBLISHED`: the map is published, and the caller may not publish maps.';
const PUBLISH = { ...WRITE, callers: ['client_admin'] } as const;
/** Whether the caller may publish maps, and change maps that are published. */
export const mayPublish = ({ role }: Caller): boolean => (PUBLISH.callers as readonly string[]).includes(role);
const DAY_MS = 86_400_000;
/** Length of a link token: 128 bits. */
const TOKEN_BYTES = 16;

export const map_id = idSchema;
export const writeOutput = z.object({ result: z.boolean() });
const originInput = withFormat(
  z
    .string()
    .max(200)
    .refine((text) => URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text),
  '`https://shop.example`, without a path',
).describe('Origin without a path, for example `https://shop.example`.');

export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');

export interface PublishingOptions {
  readonly send: (id: number, context: Context, change: MapChange) => Promise<z.infer<typeof writeOutput>>;
  /** 32 bytes: the link token derives from this key and the request, so that a retry returns the same token. */
  readonly linkKey: Buffer;
  readonly baseUrl: () => string;
}

export function publishing({ send, linkKey, baseUrl }: PublishingOptions): Operation[] {
  return [
    operation({
      ...PUBLISH,
      name: 'mapPublish',
      versioned: MAP_VERSION,
      returns: { read: 'map' },
      summary: 'Publish a map under a link',
      description:
        'Returns a link with a secret token; everyone with the link can view the map. Publishing again creates a new link and invalidates the previous one. The public map shows only public points of interest, records without personal columns, and the listed properties of uploaded files.',
      rest: { method: 'post', path: '/v1/maps/:map_id/publish' },
      risk: 'high',
      confirm: true,
      answers: { ...NOT_FOUND, ...NOT_PUBLIC_ANSWER },
      returnsCredential: true,
      input: z.object({
        map_id,
        allowed_origins: z
          .array(originInput)
          .max(20)
          .default([])
          .describe('Origins of pages that may show the map in browsers. Empty: all.'),
        expires_in_days: z
          .int()
          .min(1)
          .max(3_650)
          .optional()
          .describe('Days until the link expires. Omitted: the link works until the map is unpublished.'),
      }),
      output: z.object({
        ...writeOutput.shape,
        public_id: z.string(),
        token: z.string().describe('Secret token of the link. Returned only once: the service stores only its hash.'),
        url: z.string(),
        expires_at: z.string().nullable(),
      }),
      async run({ map_id: id, allowed_origins, expires_in_days }, context) {
        const token = createHmac('sha256', linkKey)
          .update(`${id}\n${context.commandId}`)
          .digest()
          .subarray(0, TOKEN_BYTES)
          .toString('base64url');
        const expires =
          expires_in_days === undefined ? undefined : new Date(context.time + expires_in_days * DAY_MS).toISOString();
        const response = await send(id, context, {
          do: 'publish',
          tokenSha256: tokenHash(token),
          allowedOrigins: allowed_origins,
          expiresAt: expires,
        });
        const public_id = publicIdOf(id);
        const url = `${baseUrl()}/api/v1/public/maps/${public_id}?token=${token}`;
        return { ...response, public_id, token, url, expires_at: expires ?? null };
      },
    }),
    operation({
      ...PUBLISH,
      name: 'mapUnpublish',
      versioned: MAP_VERSION,
      returns: { read: 'map' },
      summary: 'Unpublish a map',
      description: 'The public link stops working. Publishing again creates a new link.',
      rest: { method: 'post', path: '/v1/maps/:map_id/unpublish' },
      answers: NOT_FOUND,
      input: z.object({ map_id }),
      output: writeOutput,
      run: (input, context) => send(input.map_id, context, { do: 'unpublish' }),
    }),
  ];
}

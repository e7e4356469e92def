/**
 * Operations for integrators: search of the API, guides, version of the guidance file, check of webhook signatures.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { endpointSchema, graphqlOperationSchema } from './shapes.js';
import { EVERYBODY } from '../../core/callers.js';
import { integrationGuide } from './guides/integration.js';
import { otepGuide } from './guides/otep.js';
import { webhookGuide } from './guides/webhooks.js';
import { isSignedBy, TOLERANCE } from '../../../webhooks/signature.js';
import { operation, type Operation } from '../../core/operation.js';
import { tagOf, tagsOf } from '../../core/tags.js';
import type { Parts } from '../../core/parts.js';

export interface AgentsOptions extends Parts<'baseUrl' | 'version' | 'now'> {
  /** All operations, including these. Called at each request, because the list is complete only after startup. */
  readonly operations: () => readonly Operation[];
  /** Whether the service has a GraphQL interface; default: false. */
  readonly graphql?: boolean;
}

export type Agents = ReturnType<typeof agents>;

const text = z.string();
const MAX_RESULTS = 200;
const searchInput = {
  query: z
    .string()
    .max(200)
    .optional()
    .describe('Words that must all occur in name, path, tag, summary or description.'),
  category: z.string().max(64).optional().describe('Return only operations with this tag.'),
};
const GUIDES = ['integration', 'otep', 'webhooks'] as const;

export function agents({ baseUrl, version, now, operations, graphql = false }: AgentsOptions) {
  const options = () => {
    const names = new Set(operations().map(({ name }) => name));
    return { baseUrl: baseUrl(), version, has: (name: string) => (name === 'graphql' ? graphql : names.has(name)) };
  };
  const GUIDE_WRITERS = { integration: integrationGuide, otep: otepGuide, webhooks: webhookGuide };
  let cachedSkill: { readonly text: string; readonly hash: string } | undefined;
  /** The guidance file and its MD5 hash in hexadecimal, built at the first call. */
  const skill = () => {
    if (cachedSkill) return cachedSkill;
    const skillText = integrationGuide(options());
    return (cachedSkill = { text: skillText, hash: createHash('md5').update(skillText).digest('hex') });
  };

  return {
    skill,
    operations: [
      operation({
        name: 'aiSkillVersion',
        area: 'Agents',
        summary: 'Get the version of the integration guidance file',
        description: 'Pass `current_hash` to check whether your local copy is up to date.',
        rest: { method: 'get', path: '/ai-skill/version' },
        callers: EVERYBODY,
        input: z.object({
          current_hash: z
            .string()
            .regex(/^[0-9a-fA-F]{32}$/)
            .optional()
            .describe('MD5 hash of your local copy, in hexadecimal.'),
        }),
        output: z.object({
          version: text,
          hash: text.describe('MD5 hash of the current file, in hexadecimal.'),
          download_url: text,
          update_available: z
            .boolean()
            .optional()
            .describe('Whether the hashes differ. Present only if the request has `current_hash`.'),
        }),
        run({ current_hash }) {
          const { hash } = skill();
          return Promise.resolve({
            version,
            hash,
            download_url: `${baseUrl()}/api/ai-skill`,
            ...(current_hash !== undefined && { update_available: current_hash.toLowerCase() !== hash }),
          });
        },
      }),
      operation({
        name: 'apiEndpoints',
        area: 'Agents',
        summary: 'Search the REST API',
        description: 'Returns up to 200 operations that match all words of `query`, with path, scopes and risk.',
        rest: { method: 'get', path: '/ai/endpoints' },
        callers: EVERYBODY,
        input: z.object(searchInput),
        output: z.object({
          result: z.boolean(),
          total: z.int(),
          categories: z.array(text),
          endpoints: z.array(endpointSchema),
        }),
        run({ query, category }) {
          const found = findOperations(operations(), query, category);
          return Promise.resolve({
            result: true,
            total: found.length,
            categories: tagsOf(operations()),
            endpoints: found
              .slice(0, MAX_RESULTS)
              .map(({ name, area, summary, rest, callers, scopes = [], risk = 'low' }) => ({
                method: rest.method.toUpperCase(),
                path: `/api${rest.path.replace(/:(\w+)/g, '{$1}')}`,
                operation_id: name,
                category: tagOf({ name, area }),
                summary,
                auth: callers.includes('anonymous') ? 'public' : 'required',
                scopes: [...scopes],
                risk,
              })),
          });
        },
      }),
      ...(graphql
        ? [
            operation({
              name: 'graphqlOperations',
              area: 'Agents',
              summary: 'Search the GraphQL API',
              description:
                'Returns up to 200 operations that match all words of `query`, with type, arguments and scopes.',
              rest: { method: 'get', path: '/ai/graphql-operations' },
              callers: EVERYBODY,
              input: z.object({ ...searchInput, type: z.enum(['query', 'mutation']).optional() }),
              output: z.object({
                result: z.boolean(),
                total: z.int(),
                categories: z.array(text),
                operations: z.array(graphqlOperationSchema),
              }),
              run({ query, category, type }) {
                const found = findOperations(operations(), query, category).filter(
                  ({ writes }) => type === undefined || (type === 'mutation') === (writes ?? false),
                );
                return Promise.resolve({
                  result: true,
                  total: found.length,
                  categories: tagsOf(operations()),
                  operations: found
                    .slice(0, MAX_RESULTS)
                    .map(({ name, area, summary, writes, callers, scopes = [], input }) => ({
                      name,
                      type: writes ? 'mutation' : 'query',
                      category: tagOf({ name, area }),
                      summary,
                      auth: callers.includes('anonymous') ? 'public' : 'required',
                      scopes: [...scopes],
                      arguments: Object.keys(input.shape).map(camelCase),
                    })),
                });
              },
            }),
          ]
        : []),
      operation({
        name: 'integrationGuide',
        area: 'Agents',
        summary: 'Get an integration guide in Markdown',
        description:
          '`integration`: how to use the interfaces. `otep`: tracking timelines. `webhooks`: receiving and verifying webhooks.',
        rest: { method: 'get', path: '/ai/guides/:guide' },
        callers: EVERYBODY,
        input: z.object({ guide: z.enum(GUIDES) }),
        output: z.object({
          result: z.boolean(),
          guide: z
            .object({ name: text, media_type: z.literal('text/markdown'), text })
            .meta({ id: 'IntegrationGuide' }),
        }),
        run: ({ guide }) =>
          Promise.resolve({
            result: true,
            guide: { name: guide, media_type: 'text/markdown' as const, text: GUIDE_WRITERS[guide](options()) },
          }),
      }),
      operation({
        name: 'webhookSignatureVerify',
        area: 'Agents',
        summary: 'Verify a webhook signature',
        description:
          'Checks a signature against payload and secret while you develop an integration. The service neither stores nor logs the input. In production, verify signatures in your own receiver.',
        rest: { method: 'post', path: '/ai/webhook-signature' },
        callers: EVERYBODY,
        input: z.object({
          payload: z.string().max(500_000).describe('Body of the delivery, byte for byte.'),
          webhook_id: z.string().min(1).max(256).describe('Value of the header `webhook-id`.'),
          webhook_timestamp: z
            .string()
            .regex(/^\d{1,12}$/)
            .describe('Value of the header `webhook-timestamp`: seconds since 1970.'),
          signature: z.string().min(1).max(2_000).describe('Value of the header `webhook-signature`.'),
          secret: z
            .string()
            .min(1)
            .max(512)
            .describe('Secret of the endpoint. A base64 secret has the prefix `whsec_`.'),
        }),
        output: z.object({
          result: z.boolean(),
          valid: z.boolean().describe('True if the signature matches and the timestamp is recent.'),
          signature_valid: z.boolean(),
          timestamp_fresh: z.boolean(),
        }),
        run({ payload, webhook_id, webhook_timestamp, signature, secret }) {
          const signature_valid = isSignedBy(secret, {
            payload,
            id: webhook_id,
            timestamp: webhook_timestamp,
            signature,
          });
          const timestamp_fresh = Math.abs(now() / 1_000 - Number(webhook_timestamp)) <= TOLERANCE;
          return Promise.resolve({
            result: true,
            valid: signature_valid && timestamp_fresh,
            signature_valid,
            timestamp_fresh,
          });
        },
      }),
    ],
  };
}

const camelCase = (name: string): string => name.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());

function findOperations(
  all: readonly Operation[],
  query: string | undefined,
  category: string | undefined,
): readonly Operation[] {
  const words = (query ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter((candidate) => {
    const { name, summary, description = '', rest } = candidate;
    const tag = tagOf(candidate);
    if (category !== undefined && tag.toLowerCase() !== category.toLowerCase()) return false;
    const searchText = `${name} ${rest.method} ${rest.path} ${tag} ${summary} ${description}`.toLowerCase();
    return words.every((word) => searchText.includes(word));
  });
}

/** Schemas of the entries in the searchable lists of REST and GraphQL operations. */
import { z } from 'zod';

const text = z.string();

export const endpointSchema = z
  .object({
    method: text,
    path: text,
    operation_id: text,
    category: text,
    summary: text,
    auth: text,
    scopes: z.array(text),
    risk: text,
  })
  .meta({ id: 'ApiEndpoint' });

export const graphqlOperationSchema = z
  .object({
    name: text,
    type: text,
    category: text,
    summary: text,
    auth: text,
    scopes: z.array(text),
    arguments: z.array(text),
  })
  .meta({ id: 'GraphQLOperation' });

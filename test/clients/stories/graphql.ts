/** The story of a GraphQL client: documents with types by GraphQL Code Generator. Prints its result. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import {
  CreateOrderDocument,
  HoldOrderDocument,
  ListOrdersDocument,
  ReadOrderDocument,
  ReadTimelineDocument,
} from './graphql-documents.js';

const [baseUrl, token] = process.argv.slice(2) as [string, string];

interface Answer<T> {
  readonly data?: T | null;
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
}

async function send<T, V>(document: TypedDocumentNode<T, V>, variables: V): Promise<Answer<T>> {
  const response = await fetch(`${baseUrl}/api/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: print(document), variables }),
  });
  return (await response.json()) as Answer<T>;
}

async function dataOf<T, V>(document: TypedDocumentNode<T, V>, variables: V): Promise<T> {
  const { data, errors } = await send(document, variables);
  if (errors || !data) throw new Error(JSON.stringify(errors));
  return data;
}

const { orderCreate } = await dataOf(CreateOrderDocument, { name: 'Ada Lovelace', type: 'D' });
const { orderId, trackingNumbers } = orderCreate!;
await dataOf(HoldOrderDocument, { orderId });
const { order } = await dataOf(ReadOrderDocument, { orderId });
const { orders } = await dataOf(ListOrdersDocument, {});
const { otepTracking } = await dataOf(ReadTimelineDocument, { number: trackingNumbers[0]! });
const missing = await send(ReadTimelineDocument, { number: 'NOBODYS' });

process.stdout.write(
  JSON.stringify({
    status: order!.order.status,
    name: order!.order.delivery?.name,
    listed: orders!.orders.length,
    timeline: typeof otepTracking,
    missing: missing.errors?.[0]?.extensions?.code,
  }),
);

/**
 * What common members look like, by their names: a model fills in what it has seen. Only where the operation shows no
 * example of its own, and where the example is of the member's type.
 */
type JsonSchema = Readonly<Record<string, unknown>>;

const EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  name: ['Ada Lovelace'],
  company: ['Example Ltd'],
  phone: ['+49 40 1234567'],
  email: ['ada@example.com'],
  street: ['Hauptstrasse 1'],
  city: ['Hamburg'],
  region: ['Bayern'],
  postal_code: ['20095'],
  country: ['DE'],
  latitude: [53.55],
  longitude: [9.99],
  schedule_date: ['2030-05-04'],
  date: ['2030-05-04'],
  from: ['09:00'],
  to: ['12:00'],
  tracking_number: ['OT8Y61DAS6T91K'],
  external_tracking_number: ['1Z999AA10123456784'],
  order_ref: ['SHOP-4711'],
  order_refs: [['SHOP-4711']],
  order_id: [142],
  order_ids: [[142, 143]],
  query: ['Lovelace'],
  reason: ['The customer asked for it.'],
  note: ['Fragile'],
  delivery_instruction: ['Leave it with the neighbour.'],
  description: ['Books'],
  weight: [2.5],
  url: ['https://example.com/hooks'],
  tool: ['cancel_order'],
  webhook_id: ['msg_2KWPBgLlAfxdpx2AI54pPJ85f4W'],
  webhook_timestamp: ['1893456000'],
  signature: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
  delivery_id: ['6f1c2b1e-8d0a-4f4e-9f2b-0d3a5c7e9b11'],
  comment: ['Agreed by phone.'],
};

/** The same schema, with examples at every depth. */
export function withExamples(schema: JsonSchema, name = ''): JsonSchema {
  const { properties, items, ...rest } = schema as {
    properties?: Readonly<Record<string, JsonSchema>>;
    items?: JsonSchema;
  };
  return {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([member, inside]) => [member, withExamples(inside, member)]),
      ),
    }),
    ...(items && { items: withExamples(items) }),
    ...exampleOf(schema, name),
  };
}

function exampleOf(schema: JsonSchema, name: string): { readonly examples?: readonly unknown[] } {
  const examples = Object.hasOwn(EXAMPLES, name) ? EXAMPLES[name] : undefined;
  const says = ['examples', 'enum', 'const', 'default'].some((key) => key in schema);
  return examples && !says && fits(schema, examples[0]) ? { examples } : {};
}

function fits({ type, pattern, maxLength }: JsonSchema, example: unknown): boolean {
  if (Array.isArray(example)) return type === 'array';
  if (typeof example === 'number') return type === 'number' || (type === 'integer' && Number.isInteger(example));
  return (
    type === 'string' &&
    String(example).length <= Number(maxLength ?? Infinity) &&
    (pattern === undefined || new RegExp(pattern as string).test(String(example)))
  );
}

/**
 * Examples of common arguments by name, because a model fills in values of the same form. An example is used only if it
 * matches the type of the argument, and neither the operation nor the tool defines one.
 */
type JsonSchema = Readonly<Record<string, unknown>>;

const EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  tracking_number: ['OT8Y61DAS6T91K'],
  order_ref: ['SHOP-4711'],
  reason: ['The customer asked for it.'],
  url: ['https://example.com/hooks'],
  tool: ['cancel_order'],
  webhook_id: ['msg_2KWPBgLlAfxdpx2AI54pPJ85f4W'],
  webhook_timestamp: ['1893456000'],
  signature: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
  comment: ['Agreed by phone.'],
};

/** The example of the tool, of the operation, or of the name. */
export function exampleOf(
  schema: JsonSchema,
  name: string,
  given?: unknown,
): { readonly examples?: readonly unknown[] } {
  if (given !== undefined) return { examples: [given] };
  if (Array.isArray(schema['examples'])) return { examples: schema['examples'] };
  const examples = Object.hasOwn(EXAMPLES, name) ? EXAMPLES[name] : undefined;
  const isSelfExplanatory = ['enum', 'const', 'default', 'format'].some((key) => key in schema);
  return examples && !isSelfExplanatory && fits(schema, examples[0]) ? { examples } : {};
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

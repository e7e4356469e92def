/** The GraphQL schema with hints for agents in the descriptions of its fields. */
import { Kind, parse, print, printSchema, visit, type FieldDefinitionNode, type GraphQLSchema } from 'graphql';
import type { Catalogue } from '../mcp/catalogue.js';
import type { Tool } from '../mcp/tool.js';

export function graphqlDocument(schema: GraphQLSchema, catalogue: Catalogue): string {
  const document = visit(parse(printSchema(schema)), {
    ObjectTypeDefinition: (type) =>
      type.name.value === 'Query' || type.name.value === 'Mutation'
        ? { ...type, fields: type.fields?.map((field) => hinted(field, catalogue.ofOperation(field.name.value))) }
        : false,
  });
  return print(document);
}

function hinted(field: FieldDefinitionNode, tool: Tool | undefined): FieldDefinitionNode {
  if (!tool) return field;
  const { name, description, category, risk, scopes, confirm } = tool;
  const hints = [
    `use case: ${description}`,
    `tool: ${name}`,
    `category: ${category}`,
    `risk: ${risk}`,
    ...(scopes.length > 0 ? [`scopes: ${scopes.join(', ')}`] : []),
    ...(confirm ? ['confirm: required'] : []),
  ].join(' | ');
  return {
    ...field,
    description: {
      kind: Kind.STRING,
      block: true,
      value: [field.description?.value, hints].filter(Boolean).join('\n'),
    },
  };
}

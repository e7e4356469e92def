/**
 * Tools in the formats of AI systems. Sources: the types of the vendors' SDKs (referenced in the tests), and
 * `tools/list` of MCP.
 */
import type { ListedTool } from '../mcp/tool.js';

interface ToolFormat {
  readonly name: string;
  /** Other systems with the same format. */
  readonly aliases: readonly string[];
  /** The entries for the vendor's list of tools, to be pasted unchanged. */
  readonly tools: (listed: readonly ListedTool[]) => readonly unknown[];
}

const each = (form: (tool: ListedTool) => unknown) => (listed: readonly ListedTool[]) => listed.map(form);

export const TOOL_FORMATS: readonly ToolFormat[] = [
  { name: 'mcp', aliases: [], tools: each((tool) => tool) },
  {
    name: 'openai',
    aliases: [
      'openai-chat',
      'mistral',
      'cohere',
      'ollama',
      'groq',
      'deepseek',
      'xai',
      'together',
      'azure',
      'langchain',
      'llamaindex',
    ],
    // `strict` would require every member to be mandatory.
    tools: each(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema, strict: false },
    })),
  },
  {
    name: 'openai-responses',
    aliases: ['responses'],
    tools: each(({ name, description, inputSchema }) => ({
      type: 'function',
      name,
      description,
      parameters: inputSchema,
      strict: false,
    })),
  },
  {
    name: 'openai-realtime',
    aliases: [],
    tools: each(({ name, description, inputSchema }) => ({
      type: 'function',
      name,
      description,
      parameters: inputSchema,
    })),
  },
  {
    name: 'anthropic',
    aliases: ['claude'],
    tools: each(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
  },
  {
    name: 'gemini',
    aliases: ['google', 'vertex'],
    tools: (listed) => [
      {
        functionDeclarations: listed.map(({ name, description, inputSchema }) => ({
          name,
          description,
          parametersJsonSchema: inputSchema,
        })),
      },
    ],
  },
  {
    name: 'bedrock',
    aliases: ['aws'],
    tools: each(({ name, description, inputSchema }) => ({
      toolSpec: { name, description, inputSchema: { json: inputSchema } },
    })),
  },
  {
    name: 'vercel',
    aliases: ['ai-sdk'],
    tools: each(({ name, description, inputSchema }) => ({ type: 'function', name, description, inputSchema })),
  },
];

export const FORMAT_NAMES: readonly string[] = TOOL_FORMATS.flatMap(({ name, aliases }) => [name, ...aliases]);

export const toolFormat = (name: string): ToolFormat | undefined =>
  TOOL_FORMATS.find((format) => format.name === name || format.aliases.includes(name));

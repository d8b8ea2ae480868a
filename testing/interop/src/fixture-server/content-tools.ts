import { fromJsonSchema, type CallToolResult, type McpServer } from '@modelcontextprotocol/server';
import { png, textOf, wav } from './samples.ts';

const resourceOf = (uri: string, mimeType: string, text: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text } }) as const;

const image = { type: 'image', data: png, mimeType: 'image/png' } as const;

/** By name, what each tool returns. */
const contents: Readonly<Record<string, CallToolResult['content']>> = {
  test_simple_text: [textOf('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }],
  test_embedded_resource: [
    resourceOf('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ],
  test_multiple_content_types: [
    textOf('Multiple content types test:'),
    image,
    resourceOf('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
  test_streaming_elicitation: [textOf('No request was sent.')],
};

/** Adds the tools that return content of each kind, one that fails, and two with schemas of their own. */
export const addContentTools = (mcp: McpServer): void => {
  for (const [name, content] of Object.entries(contents)) {
    mcp.registerTool(name, { description: `Returns what ${name} names` }, () => ({ content }));
  }
  mcp.registerTool('test_error_handling', { description: 'Always fails' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  mcp.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Has a schema with keywords of 2020-12', inputSchema: schemaOf2020 },
    (given) => ({ content: [textOf(JSON.stringify(given))] }),
  );
  mcp.registerTool(
    'test_x_mcp_header',
    { description: 'Has an argument that a header repeats', inputSchema: schemaWithHeader },
    (given) => ({ content: [textOf(JSON.stringify(given))] }),
  );
};

const text = { type: 'string' };

const schemaOf2020 = fromJsonSchema({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: { $anchor: 'addressDef', type: 'object', properties: { street: text, city: text } },
  },
  properties: {
    name: text,
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: text,
    email: text,
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
});

const repeated = { type: 'string', 'x-mcp-header': 'Region' };

const schemaWithHeader = fromJsonSchema({
  type: 'object',
  properties: { region: repeated, level: { type: 'integer' } },
});

import type {
  ElicitRequestFormParams,
  McpServer,
  ServerContext,
} from '@modelcontextprotocol/server';
import { textOf } from './samples.ts';
import { z } from 'zod';

type Properties = ElicitRequestFormParams['requestedSchema']['properties'];

/** A server of one request gets no response to its own requests, so it waits only shortly. */
const options = { timeout: 500 };

/** Requests an object of the user, and returns the response as text. */
const elicit = async ({ mcpReq }: ServerContext, message: string, properties: Properties) => {
  const requestedSchema = { type: 'object' as const, properties, required: [] };
  const response = await mcpReq.elicitInput({ message, requestedSchema }, options);
  return { content: [textOf(JSON.stringify(response))] };
};

/** Adds the tools that send a request to the client in the way of revision 2025-11-25. */
export const addRequestingTools = (mcp: McpServer): void => {
  const inputSchema = z.object({});
  mcp.registerTool(
    'test_sampling',
    { description: 'Requests a completion', inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const messages = [{ role: 'user' as const, content: textOf(prompt) }];
      const response = await mcpReq.requestSampling({ messages, maxTokens: 100 }, options);
      return { content: [textOf(JSON.stringify(response))] };
    },
  );
  mcp.registerTool(
    'test_elicitation',
    { description: 'Requests input of the user', inputSchema: z.object({ message: z.string() }) },
    ({ message }, context) => elicit(context, message, { response: { type: 'string' } }),
  );
  mcp.registerTool(
    'test_elicitation_sep1034_defaults',
    { description: 'Requests input, with defaults', inputSchema },
    (_given, context) => elicit(context, 'Please review', withDefaults),
  );
  mcp.registerTool(
    'test_elicitation_sep1330_enums',
    { description: 'Requests choices', inputSchema },
    (_given, context) => elicit(context, 'Please choose', withChoices),
  );
};

const withDefaults: Properties = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};

const names = ['option1', 'option2', 'option3'];
const titled = [
  { const: 'value1', title: 'First' },
  { const: 'value2', title: 'Second' },
  { const: 'value3', title: 'Third' },
];
const withChoices: Properties = {
  untitledSingle: { type: 'string', enum: names },
  titledSingle: { type: 'string', oneOf: titled },
  legacyEnum: { type: 'string', enum: names, enumNames: ['One', 'Two', 'Three'] },
  untitledMulti: { type: 'array', items: { type: 'string', enum: names } },
  titledMulti: { type: 'array', items: { anyOf: titled } },
};

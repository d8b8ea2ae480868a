import { acceptedContent, type McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { requestForms } from './input-requests.ts';
import { png, textOf } from './samples.ts';
import { z } from 'zod';

const fromUser = <Content>(content: Content) => ({ role: 'user', content }) as const;

/** Adds prompts of text, with arguments, a resource and an image, and one that needs input of the user. */
export const addPrompts = (mcp: McpServer): void => {
  mcp.registerPrompt('test_simple_prompt', { description: 'A text' }, () => ({
    messages: [fromUser(textOf('This is a simple prompt for testing.'))],
  }));
  mcp.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'A text with both arguments',
      argsSchema: z.object({ arg1: z.string(), arg2: z.string() }),
    },
    ({ arg1, arg2 }) => ({
      messages: [fromUser(textOf(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
    }),
  );
  mcp.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'A resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => ({
      messages: [
        fromUser({
          type: 'resource',
          resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content.' },
        } as const),
        fromUser(textOf('Please process the embedded resource above.')),
      ],
    }),
  );
  mcp.registerPrompt('test_prompt_with_image', { description: 'An image' }, () => ({
    messages: [
      fromUser({ type: 'image', data: png, mimeType: 'image/png' } as const),
      fromUser(textOf('Please analyze the image above.')),
    ],
  }));
  mcp.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Needs input of the user' },
    promptWithInput,
  );
};

/** Without arguments the callback gets the context only, which its type does not say. */
const promptWithInput = (given: unknown) => {
  const { mcpReq } = given as ServerContext;
  const accepted = acceptedContent<{ context: string }>(mcpReq.inputResponses, 'user_context');
  return accepted
    ? { messages: [fromUser(textOf(`Use the following context: ${accepted.context}`))] }
    : requestForms({ user_context: 'context' });
};

import { plainText } from '@commonplace/contracts/core';
import { contextLimits, getContextContract, noteTag } from '@commonplace/contracts/notes';
import { bodyOf } from '@commonplace/http';
import { z } from 'zod';
import { renderContext } from '../../present/render-context.ts';
import { cursorText, folderName } from '../argument-schemas.ts';
import { defineTool } from '../define-tool.ts';
import type { McpSession } from '../mcp-session.ts';
import { texts } from '../tool-result.ts';

const input = z.strictObject({
  query: plainText(1, 500).optional().describe('What you are about to do'),
  since: cursorText.optional().describe('Cursor of the last context: adds what others changed'),
  maxBytes: z
    .int()
    .min(contextLimits.bytesMin)
    .max(contextLimits.bytesMax)
    .default(contextLimits.bytesDefault),
  folders: z.array(folderName).max(16).optional(),
  tags: z.array(noteTag).max(16).optional(),
});

export const getContext = defineTool({
  name: 'get_context',
  description:
    'What you should know before you start: who you are, pinned notes, notes on the query, changes of others. Call it first.',
  contract: getContextContract,
  effect: 'reads',
  input,
  aliases: { task: 'query', q: 'query', cursor: 'since', max_bytes: 'maxBytes' },
  run: async (session, request) => texts(await contextText(session, request)),
});

/** A context as Markdown that says how to read on over MCP. */
export const contextText = async (
  { call }: McpSession,
  request: z.input<typeof input>,
): Promise<string> => {
  const context = bodyOf<typeof getContextContract>(
    await call(getContextContract, { body: { ...request } }),
  );
  return renderContext(context, (id) => `read_note with id ${id}`);
};

import { AppError } from '@commonplace/contracts/core';
import { getContextContract } from '@commonplace/contracts/notes';
import type { GetPromptResult, ListPromptsResult } from '@modelcontextprotocol/server';
import { mayCall } from './may-call.ts';
import type { McpSession } from './mcp-session.ts';
import { unknownArguments } from './parse-call.ts';
import { reject } from './resources.ts';
import { contextText } from './tools/get-context.ts';

/** The length of the query of a context. */
const queryCharactersMax = 500;

const recall = {
  name: 'recall',
  description: 'What the notes say about a task',
  arguments: [{ name: 'task', description: 'What you are about to do', required: true }],
};

const journal = { name: 'journal', description: 'How to keep notes here' };

/** The prompts that the caller can use. */
export const listPrompts = (session: McpSession): ListPromptsResult => ({
  prompts: [...(mayCall(session, getContextContract) ? [recall] : []), journal],
});

/** A prompt as messages of the user. */
export const getPrompt = async (
  session: McpSession,
  name: string,
  args: Readonly<Record<string, string>>,
): Promise<GetPromptResult> => {
  switch (name) {
    case recall.name:
      assertKnown(args, ['task'], name);
      return messageOf(await recallText(session, args['task'] ?? '').catch(reject));
    case journal.name:
      assertKnown(args, [], name);
      return messageOf(journalText);
    default:
      return reject(new AppError('not_found', 'No such prompt.'));
  }
};

/** An argument that a prompt would ignore is an error. */
const assertKnown = (args: object, allowed: readonly string[], prompt: string): void => {
  const unknown = Object.keys(args).filter((name) => !allowed.includes(name));
  if (unknown.length > 0) {
    const detail = `${unknownArguments(unknown, allowed)} (prompt ${prompt})`;
    reject(new AppError('validation_failed', detail));
  }
};

const messageOf = (text: string): GetPromptResult => ({
  messages: [{ role: 'user', content: { type: 'text', text } }],
});

const recallText = async (session: McpSession, task: string): Promise<string> => {
  const whole = task.trim();
  const query = whole.slice(0, queryCharactersMax).toWellFormed();
  if (query === '') {
    throw new AppError('validation_failed', 'task must say what you are about to do.');
  }
  const context = await contextText(session, { query });
  const part =
    whole.length > queryCharactersMax ? ` about its first ${queryCharactersMax} characters` : '';
  return `Task: ${task}\n\nThis is what the company's notes say${part}. Read what you need with read_note before you start.\n\n${context}`;
};

const journalText = `Keep notes of your work in the company's shared notes, for your colleagues and for your next run.

1. Begin with get_context; search_notes before you write about something, so that one note has one subject.
2. Log what you do: append to the note "Journal" in the folder "agents/<your name>" with edit_note, one line each:
   the time, what you did, and the result. Create it once with write_note; if it exists, you get its id.
3. What others should know has a note of its own, with a title that they would search for. Link notes as [[Title]].
4. Change a note with edit_note, in small edits. Use write_note with revision only to rewrite what you have just read.
5. After an error do what its "Next" says. Never write back a text of which you have read only a part.
6. Before you end, use recent_changes to see whether somebody else changed what you rely on.`;

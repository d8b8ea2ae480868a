import { getNoteByPathContract, type WrittenNote } from '@commonplace/contracts/notes';
import { bodyOf } from '@commonplace/http';
import { namedTagOf } from '../rules/precondition.ts';
import type { Place } from './find-by-title.ts';
import { mayCall } from './may-call.ts';
import type { McpSession } from './mcp-session.ts';
import { unlessRefused } from './unless-refused.ts';

/** The note of a place whose newest note is given: that may be a conflict copy, which has the title of its note. */
export const preferOriginal = async (
  session: McpSession,
  newest: WrittenNote,
  place: Partial<Place>,
): Promise<WrittenNote> =>
  mayCall(session, getNoteByPathContract)
    ? unlessRefused(readOriginal(session, newest, place), newest)
    : newest;

const readOriginal = async (
  { call }: McpSession,
  newest: WrittenNote,
  { folder = '', title = '' }: Partial<Place>,
): Promise<WrittenNote> => {
  const found = await call(getNoteByPathContract, {
    query: { folder, title },
    headers: { 'if-none-match': `"${namedTagOf(newest)}"` },
  });
  return found.status === 304 ? newest : bodyOf<typeof getNoteByPathContract>(found);
};

import {
  getNoteByPathContract,
  type NoteInput,
  type WrittenNote,
} from '@commonplace/contracts/notes';
import { bodyOf } from '@commonplace/http';
import { namedTagOf } from '../rules/precondition.ts';
import { mayCall } from './may-call.ts';
import type { McpSession } from './mcp-session.ts';
import { unlessRefused } from './unless-refused.ts';

type GivenPlace = Pick<NoteInput, 'folder' | 'title'>;

/** The note of a place whose newest note is given: that may be a conflict copy, which has the title of its note. */
export const preferOriginal = async (
  session: McpSession,
  newest: WrittenNote,
  place: GivenPlace,
): Promise<WrittenNote> =>
  mayCall(session, getNoteByPathContract)
    ? unlessRefused(readOriginal(session, newest, place), newest)
    : newest;

const readOriginal = async (
  { call }: McpSession,
  newest: WrittenNote,
  { folder = '', title = '' }: GivenPlace,
): Promise<WrittenNote> => {
  const found = await call(getNoteByPathContract, {
    query: { folder, title },
    headers: { 'if-none-match': `"${namedTagOf(newest)}"` },
  });
  return found.status === 304 ? newest : bodyOf<typeof getNoteByPathContract>(found);
};

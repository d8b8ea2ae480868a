import { listProposalsContract, type Proposal } from '@commonplace/contracts/notes';
import { asAppError, bodyOf } from '@commonplace/http';
import type { McpSession } from './mcp-session.ts';
import { findNote, splitPath, type FoundNote, type NoteName } from './note-name.ts';

/** The note that an edit names: one that there is, or else the new note of that name that the caller has proposed. */
export const findEditedNote = async (session: McpSession, name: NoteName): Promise<FoundNote> => {
  try {
    return await findNote(session, name);
  } catch (thrown) {
    // A deleted note that had the name is not the proposed one.
    const isMissing = ['not_found', 'note_deleted'].includes(asAppError(thrown).code);
    const proposed = isMissing ? await findProposed(session, name) : null;
    if (!proposed) {
      throw thrown;
    }
    return { id: proposed.noteId };
  }
};

/** An agent has no more open proposals. */
const ownMax = '200';

const findProposed = async (
  session: McpSession,
  { path, title }: NoteName,
): Promise<Proposal | null> => {
  const { caller } = session;
  if (caller.kind !== 'agent' || (path === undefined && title === undefined)) {
    return null;
  }
  const wanted = path === undefined ? { title } : splitPath(path);
  const { items } = bodyOf<typeof listProposalsContract>(
    await session.call(listProposalsContract, {
      query: { state: 'open', agentId: caller.agentId, title: wanted.title, limit: ownMax },
    }),
  );
  const found = items.filter(
    (each) => each.proposalOf === null && (!('folder' in wanted) || each.folder === wanted.folder),
  );
  return found.length === 1 ? (found[0] ?? null) : null;
};

import type { NoteId } from '@commonplace/contracts/core';
import {
  listNoteLinksContract,
  type EditedNote,
  type NoteChanges,
  type NoteEdit,
} from '@commonplace/contracts/notes';
import { z } from 'zod';
import { authorLabels } from './format.ts';
import { mayCall } from './may-call.ts';
import type { McpSession } from './mcp-session.ts';
import { readBacklinks } from './read-backlinks.ts';
import { writtenOutput } from './tools/written-result.ts';
import { unlessRefused } from './unless-refused.ts';

/** What an edit returns. */
export const editedOutput = writtenOutput.extend({
  lines: z.array(z.string()).optional(),
  since: z.string().optional(),
  linkedFrom: z.string().optional(),
  linksUpdated: z.int().optional(),
});

/** Authors of other versions that are named. */
const namedMax = 3;

/** The lines that an edit changed, and what others changed since the caller read the note. */
export const describeChanges = async (
  session: McpSession,
  { changed }: EditedNote,
): Promise<Omit<Partial<z.output<typeof editedOutput>>, 'id'>> => {
  const { lines = null, since, linksUpdated, linksNotUpdated } = changed ?? {};
  return {
    ...(lines === null
      ? {}
      : { lines: lines.map(({ line, added, removed }) => `${line}: +${added} -${removed}`) }),
    ...(since ? { since: await describeSince(session, since) } : {}),
    ...(linksUpdated ? { linksUpdated: linksUpdated.length } : {}),
    ...(linksNotUpdated
      ? { linkedFrom: `${linksNotUpdated.join(', ')}; their links keep the old title` }
      : {}),
  };
};

const describeSince = async (
  session: McpSession,
  { revisions, hasMore, linesAdded, linesRemoved }: NonNullable<NoteChanges['since']>,
): Promise<string> => {
  if (revisions.length === 0) {
    return 'not changed since you read it';
  }
  const labelOf = await authorLabels(
    session,
    revisions.map(({ author }) => author),
  );
  const named = revisions
    .slice(0, namedMax)
    .map(({ revision, author }) => `revision ${revision} by ${labelOf(author)}`);
  const rest = hasMore || revisions.length > namedMax ? ' and others' : '';
  const size = linesAdded === null ? '' : ` (+${linesAdded} -${linesRemoved ?? 0} lines)`;
  return `changed since you read it: ${named.join(', ')}${rest}${size}`;
};

/** The notes whose links name the old title of a note that edits rename. They are read before: afterwards they lead nowhere. */
export const linksLostBy = async (
  session: McpSession,
  id: NoteId,
  edits: readonly NoteEdit[],
): Promise<{ readonly linkedFrom?: string }> => {
  const isRenamed = edits.some((edit) => edit.op === 'set' && edit.title !== undefined);
  const isUpdated = edits.some((edit) => edit.op === 'set' && edit.updateLinks === true);
  if (!isRenamed || isUpdated || !mayCall(session, listNoteLinksContract)) {
    return {};
  }
  // A note that is only proposed has no links to it yet, and a repeated edit has its first result whatever became of it.
  const [linkedFrom] = await unlessRefused(readBacklinks(session, id), []);
  return linkedFrom === undefined || linkedFrom === noBacklinks
    ? {}
    : {
        linkedFrom: `${linkedFrom.replace(/^linked from: /, '')}; links by the old title need updateLinks`,
      };
};

/** What `readBacklinks` says where there is none. */
const noBacklinks = 'linked from: no note';

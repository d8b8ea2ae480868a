import { diffNoteContract, type NoteActivity } from '@commonplace/contracts/notes';
import { asAppError, bodyOf } from '@commonplace/http';
import { firstBytes, shownBytesMax } from './format.ts';
import type { McpSession } from './mcp-session.ts';
import { resultBytesDefault } from './tool-result.ts';

/** Versions of a list whose text is compared: each costs as much as a call of `note_history`. */
const comparedMax = 10;

/** Of all diffs of a list, in bytes: half of a result. */
const diffBytesMax = resultBytesDefault / 2;

/** The bytes that one diff has at least. */
const oneBytesMin = 400;

/** The lines that a change added and removed, or how to see them; shorter in a list whose lines are, see `fitted`. */
export type ShowDiff = (change: NoteActivity, bytesMax: number) => readonly string[];

const nameOf = ({ noteId, revision }: NoteActivity): string => `${noteId} ${revision}`;

/** Reads the differences that the newest changes made to their text. */
export const readDiffs = async (
  session: McpSession,
  changes: readonly NoteActivity[],
): Promise<ShowDiff> => {
  const compared = changes
    .filter(({ revision, linesAdded }) => revision > 1 && linesAdded !== null)
    .slice(0, comparedMax);
  const diffs = new Map<string, string>();
  for (const change of compared) {
    const diff = await readDiff(session, change);
    if (diff !== null) {
      diffs.set(nameOf(change), diff);
    }
  }
  const each = Math.max(oneBytesMin, Math.floor(diffBytesMax / Math.max(1, diffs.size)));
  return (change, bytesMax) => {
    const diff = diffs.get(nameOf(change));
    if (diff !== undefined) {
      return diff === ''
        ? []
        : [firstBytes(indented(diff), Math.ceil(each * (bytesMax / shownBytesMax)))];
    }
    return change.revision === 1 || change.deleted
      ? []
      : ['  (not compared: note_history with view diff)'];
  };
};

/** Null: the version before is not stored any more, or the comparison is not to be had now. */
const readDiff = async (
  { call }: McpSession,
  { noteId: id, revision }: NoteActivity,
): Promise<string | null> => {
  try {
    const { fields } = bodyOf<typeof diffNoteContract>(
      await call(diffNoteContract, {
        params: { id },
        query: { from: String(revision - 1), to: String(revision), context: '0' },
      }),
    );
    return fields.find(({ field }) => field === 'content')?.diff.trimEnd() ?? '';
  } catch (error) {
    if (asAppError(error).code === 'not_found') {
      return null;
    }
    throw error;
  }
};

const indented = (diff: string): string =>
  diff
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');

import type { NextVersion } from '../rules/decision.ts';
import { hasContent, type WritableNote } from '../queries/note-rows.ts';
import type { VersionName } from '../queries/version-texts.ts';
import type { SharedTexts } from './shares-texts.ts';

/**
 * Decides which versions of a transaction are stored without their text, and what that means for the versions that are
 * stored already. A version that begins with the text of the one before is a growth of it: the text of the earlier one is
 * the beginning of the later one, and that of the newest one is stored with the note only. Any other version replaces that
 * text, so that the version before gets it first.
 */
export const trackTexts = ({ isRepeatedShared, isGrowingShared }: SharedTexts) => {
  /** Versions that are not sent yet, and those of them that a later one is a growth of. */
  const staged = new Set<WritableNote>();
  const outgrown = new Set<WritableNote>();
  const dropped: VersionName[] = [];
  const kept: VersionName[] = [];

  /** Takes the next version of a note; returns its `textsFrom`. */
  const follow = (before: WritableNote, next: NextVersion): number | null => {
    if (isGrowingShared && isGrowth(before, next)) {
      if (staged.has(before)) {
        outgrown.add(before);
      } else if (before.textsFrom === null) {
        dropped.push(nameOf(before));
      }
      return before.textsFrom ?? before.revision;
    }
    if (before.textsFrom !== null && !staged.has(before)) {
      kept.push(nameOf(before));
    }
    if (isRepeatedShared) {
      dropped.push(...repeatedBy(next, before));
    }
    return null;
  };

  return {
    follow,
    stage: (note: WritableNote): unknown => staged.add(note),
    /** Whether a staged version, which is sent now, is stored with its text. */
    send: (note: WritableNote, isLast: boolean): boolean => {
      staged.delete(note);
      return isLast ? note.textsFrom === null : !outgrown.has(note);
    },
    /** Stored versions that lose their text once the later ones are written. */
    dropped: (): readonly VersionName[] => dropped,
    /** Removes and returns the stored versions that get the text of their note, before the later ones are written. */
    drainKept: (): readonly VersionName[] => kept.splice(0),
  };
};

/** Smaller texts are stored with each version: that takes less than finding them. */
const sharedBytesMin = 1024;

const nameOf = ({ id, revision }: WritableNote): VersionName => ({ id, revision });

/**
 * Whether the text of an active note is the beginning of the next one, in UTF-8 too: half of a character at its end is stored
 * as another one. A text that was not read is not compared.
 */
const isGrowth = (before: WritableNote, { fields }: NextVersion): boolean =>
  fields !== null &&
  before.deletedAt === null &&
  hasContent(before) &&
  before.size >= sharedBytesMin &&
  fields.content.startsWith(before.content) &&
  !endsWithinCharacter(before.content);

const endsWithinCharacter = (text: string): boolean => {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd8_00 && last <= 0xdb_ff;
};

/** The version whose text the next one repeats; that before a deletion has the text of the deleted note. */
const repeatedBy = ({ fields }: NextVersion, before: WritableNote): VersionName[] =>
  hasContent(before) && before.size >= sharedBytesMin && before.content === fields?.content
    ? [{ id: before.id, revision: before.revision - (before.deletedAt ? 1 : 0) }]
    : [];

export type TrackedTexts = ReturnType<typeof trackTexts>;

import type { Schema } from '@commonplace/client';
import type { QueryClient } from '@tanstack/react-query';
import { isChangedSince } from '../../api/problems.ts';
import { countNotes } from '../../components/count-notes.ts';
import { titleText } from '../../components/title-text.ts';
import { undoRevision } from '../notes/undo-revision.ts';

/** An accepted proposal with the revision that it became. */
export type Accepted = Pick<Schema<'Proposal'>, 'companyId' | 'noteId' | 'title'> & {
  readonly revision: number;
};

/**
 * Takes accepted proposals out of their notes, each of which becomes as it was before the first of them. A note that somebody
 * else changed is left alone. Returns what to say then. Throws what failed, for one note alone also that it has changed.
 */
export const takeBackAccepted = async (
  client: QueryClient,
  accepted: readonly Accepted[],
): Promise<string> => {
  const notes = [...Map.groupBy(accepted, ({ noteId }) => noteId).values()];
  const [only] = accepted;
  if (only && notes.length === 1) {
    const isDeleted = await takeBack(client, accepted);
    const stay = accepted.length === 1 ? 'proposal stays' : 'proposals stay';
    return `${titleText(only.title)} ${isDeleted ? 'was deleted' : 'is as it was before'}. The ${stay} accepted.`;
  }
  let left = 0;
  for (const ofNote of notes) {
    try {
      await takeBack(client, ofNote);
    } catch (error) {
      if (!isChangedSince(error)) {
        throw error;
      }
      left += 1;
    }
  }
  const back = notes.length - left;
  const alone =
    left === 0
      ? ''
      : ` ${countNotes(left)} changed since, and ${left === 1 ? 'was' : 'were'} left alone.`;
  return `${countNotes(back)} ${back === 1 ? 'is' : 'are'} as before.${alone} The proposals stay accepted.`;
};

/** Where others wrote between the accepted revisions, only those after their version go. */
const takeBack = (client: QueryClient, ofNote: readonly Accepted[]): Promise<boolean> => {
  const revisions = ofNote.map(({ revision }) => revision).toSorted((one, other) => other - one);
  const [newest = 0] = revisions;
  const together = revisions.findIndex((revision, index) => revision !== newest - index);
  return undoRevision(client, {
    companyId: ofNote[0]?.companyId ?? '',
    noteId: ofNote[0]?.noteId ?? '',
    revision: newest,
    count: together === -1 ? revisions.length : together,
  });
};

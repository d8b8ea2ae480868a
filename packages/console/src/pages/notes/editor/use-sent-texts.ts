import { useRef } from 'react';
import { changedFields, textOf, type NoteText } from '../note-text.ts';
import type { EditBase, EditStart } from './use-draft-start.ts';

/** The first attempts, one of which is the likeliest to be stored, and the newest. They are kept in the draft, whose space is limited. */
const sentMax = 3;

type Sending = {
  readonly text: NoteText;
  readonly base: EditBase;
  /** Whether a new title is saved before the rest. */
  readonly updatesLinks: boolean;
};

/** What was sent to be saved over a revision. Without a response nobody knows whether it was stored. */
export const useSentTexts = (start: EditStart) => {
  const last = useRef({ revision: start.base.revision, texts: start.sent });
  /** What was sent over this version. */
  const over = ({ revision }: Pick<EditBase, 'revision'>): readonly NoteText[] =>
    last.current.revision === revision ? last.current.texts : [];
  /** Remembers what is about to be sent. Returns all that was sent over the same version. */
  const add = ({ text, base, updatesLinks }: Sending): readonly NoteText[] => {
    const { title } = text;
    const renamed = updatesLinks && title !== base.title ? [{ ...textOf(base), title }] : [];
    const next = [...renamed, text];
    // A text that is sent again takes no second place.
    const others = over(base).filter((sent) =>
      next.every((each) => changedFields(sent, each).length > 0),
    );
    const texts = [...others.slice(0, sentMax - next.length), ...next];
    last.current = { revision: base.revision, texts };
    return texts;
  };
  return { over, add };
};

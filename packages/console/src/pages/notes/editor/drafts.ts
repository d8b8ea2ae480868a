import {
  draftPrefix,
  readStored,
  removeStored,
  storedKeys,
  textsOfKeys,
  writeStored,
} from '../../../api/stored-drafts.ts';
import { isId } from '../../../components/is-id.ts';
import type { ChangeChoice } from '../conflict/conflict-parts.ts';
import { changedFields, type NoteText } from '../note-text.ts';
import { wordsOf } from './words-of.ts';

/** Unsaved work on a note, kept in this browser. */
export type Draft = {
  /** The version that was edited; null means a new note. */
  readonly baseRevision: number | null;
  /** The text of that version. */
  readonly base: NoteText;
  readonly text: NoteText;
  /** ISO 8601. */
  readonly savedAt: string;
  /** What is chosen between it and a newer version; absent: nothing. */
  readonly chosen?: DraftChoices;
  /** What was sent to be saved over that version, and may be stored or not; absent: nothing. */
  readonly sent?: readonly NoteText[];
  /** Of a new note, which may be stored or not. */
  readonly id?: string | undefined;
};

/** Choices that were made of two versions of a text. */
export type DraftChoices = {
  readonly of: { readonly current: string; readonly other: string };
  /** By change; null: not decided. */
  readonly choices: readonly (ChangeChoice | null)[];
  /** What was chosen of versions before these; null: nothing. */
  readonly earlier: string | null;
};

type Owner = { readonly operatorId: string; readonly companyId: string };

/** Whose draft of which note. */
export type DraftName = Owner & {
  /** Null: a new note. */
  readonly noteId: string | null;
  /** Which new note, since each has a draft of its own. */
  readonly newId?: string;
  /** Which tab, where another one had the note open first. */
  readonly tabId?: string;
};

/** How many new notes a browser keeps for an operator in a company. */
export const newDraftsMax = 20;

const newPrefixOf = ({ operatorId, companyId }: Owner): string =>
  `${draftPrefix}${operatorId}.${companyId}.new`;

export const draftKeyOf = (name: DraftName): string => {
  const { operatorId, companyId, noteId, newId, tabId } = name;
  return noteId === null
    ? `${newPrefixOf(name)}${withPart(newId)}`
    : `${draftPrefix}${operatorId}.${companyId}.${noteId}${withPart(tabId)}`;
};

const withPart = (id: string | undefined): string => (id === undefined ? '' : `.${id}`);

/** The draft of a note, if there is one. */
export const readDraft = (name: DraftName): Draft | null => readDraftAt(draftKeyOf(name));

const readDraftAt = (key: string): Draft | null => {
  const draft = readStored(key);
  return isDraft(draft) ? draft : null;
};

export type NamedDraft = { readonly name: DraftName; readonly draft: Draft };

/** Whose draft of a note that was new until now. */
export const nameOfNote = (name: DraftName, noteId: string): DraftName => {
  const { operatorId, companyId } = name;
  return name.noteId === null ? { operatorId, companyId, noteId } : name;
};

/** That of a note that was saved once. */
export const firstRevision = 1;

/** Makes the draft of a new note that of the note that is there now. */
export const moveDraft = (from: DraftName, to: DraftName): void => {
  const draft = readDraft(from);
  if (draft) {
    writeStored(draftKeyOf(to), { ...draft, baseRevision: draft.baseRevision ?? firstRevision });
    removeDraft(from);
  }
};

/** Whose draft a key of a note names. */
export const nameOfKey = (note: DraftName, key: string): DraftName => {
  const textKey = draftKeyOf(note);
  return key === textKey ? note : { ...note, tabId: key.slice(textKey.length + 1) };
};

/** Whether a draft under a key has anything that was changed. */
export const hasChanges = (key: string): boolean => {
  const draft = readDraftAt(key);
  return draft !== null && changedFields(draft.base, draft.text).length > 0;
};

/** The texts of drafts of a note, to be copied. */
export const wordsOfDrafts = (keys: readonly string[]) => textsOfKeys(keys, readDraftAt, wordsOf);

/** The new notes of an operator that were not saved, the last written first. */
export const listNewDrafts = (owner: Owner): readonly NamedDraft[] =>
  storedKeys(newPrefixOf(owner))
    .flatMap((key): readonly NamedDraft[] => {
      const newId = key.slice(newPrefixOf(owner).length + 1);
      const name = { ...owner, noteId: null, ...(newId === '' ? {} : { newId }) };
      const draft = readDraft(name);
      return draft ? [{ name, draft }] : [];
    })
    .toSorted((one, other) => other.draft.savedAt.localeCompare(one.draft.savedAt));

export const removeDraft = (name: DraftName): void => removeStored(draftKeyOf(name));

const isDraft = (value: unknown): value is Draft => {
  const { baseRevision, base, text, savedAt, chosen, sent, id } = (value ?? {}) as Partial<Draft>;
  return (
    (chosen === undefined || isDraftChoices(chosen)) &&
    (sent === undefined || (Array.isArray(sent) && sent.every(isNoteText))) &&
    (id === undefined || isId(id)) &&
    (baseRevision === null || Number.isSafeInteger(baseRevision)) &&
    typeof savedAt === 'string' &&
    isNoteText(base) &&
    isNoteText(text)
  );
};

const isDraftChoices = ({ of, choices, earlier }: Partial<DraftChoices>): boolean =>
  typeof of?.current === 'string' &&
  typeof of.other === 'string' &&
  Array.isArray(choices) &&
  (earlier === null || typeof earlier === 'string');

const isNoteText = (value: Partial<NoteText> | undefined): boolean => {
  const { title, content, folder, tags, pinned, archived } = value ?? {};
  return (
    [title, content, folder].every((each) => typeof each === 'string') &&
    [pinned, archived].every((each) => typeof each === 'boolean') &&
    Array.isArray(tags) &&
    tags.every((tag) => typeof tag === 'string')
  );
};

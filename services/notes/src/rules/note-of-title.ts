import type { NoteId } from '@commonplace/contracts/core';

type Titled = { readonly title: string; readonly conflictOf: NoteId | null };

/** Of so many notes of a title in a folder, the newest, one is chosen. */
export const titledNotesMax = 20;

/**
 * The one of several notes that a title means: the one that has it letter by letter, and a note before its conflict
 * copies, which have its title. Null: none, or several.
 */
export const noteOfTitle = <Note extends Titled>(
  found: readonly Note[],
  title: string,
): Note | null => {
  const exact = found.filter((note) => note.title === title);
  const choices = [exact, exact.filter(isNoCopy), found.filter(isNoCopy), found];
  return choices.find(({ length }) => length === 1)?.[0] ?? null;
};

/** The note that a creation finds instead of making another one: of several the newest, which comes first. */
export const existingOfTitle = <Note extends Titled>(
  found: readonly Note[],
  title: string,
): Note | null => noteOfTitle(found, title) ?? found.find(isNoCopy) ?? found[0] ?? null;

const isNoCopy = ({ conflictOf }: Titled): boolean => conflictOf === null;

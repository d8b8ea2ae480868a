import type { Actor, ActorNames } from '../../../components/use-actor-names.ts';
import { titleCharactersMax } from '../note-text.ts';

type Version = { readonly updatedBy: Actor };

/** What two versions are called within a sentence. */
export type VersionNames = { readonly current: string; readonly other: string };

/** What the two versions of a conflict are called: by their authors, and by where they are if those are called the same. */
export const versionNames = (
  { nameOf }: Pick<ActorNames, 'nameOf'>,
  current: Version | null,
  other: Version,
): VersionNames => {
  const [one, two] = [
    current && shorten(nameOf(current.updatedBy)),
    shorten(nameOf(other.updatedBy)),
  ];
  if (one === null) {
    return { current: 'deleted note', other: `${two}’s version` };
  }
  return one === two
    ? { current: `${one}’s saved version`, other: `${two}’s unmerged version` }
    : { current: `${one}’s version`, other: `${two}’s version` };
};

/**
 * The title of a note that is made of a version: who wrote that, and on which day (UTC). Where that is too long, the title
 * of the version is shortened.
 */
export const separateTitle = (
  { nameOf }: Pick<ActorNames, 'nameOf'>,
  { title, updatedBy, updatedAt }: Version & { readonly title: string; readonly updatedAt: string },
): string => {
  const origin = ` (${shorten(nameOf(updatedBy))}’s version of ${updatedAt.slice(0, 10)})`;
  return `${shorten(title, titleCharactersMax - [...origin].length)}${origin}`.trim();
};

const lettersMax = 24;

/** Whole characters, by default as many as a button has place for. */
const shorten = (text: string, max = lettersMax): string => {
  const letters = [...text];
  return letters.length > max ? `${letters.slice(0, max - 1).join('')}…` : text;
};

/** At the beginning of a line. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

import type { Actor, ActorNames } from '../../../components/use-actor-names.ts';

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

/** The title of a note that is made of a version: who wrote that, and on which day (UTC). */
export const separateTitle = (
  { nameOf }: Pick<ActorNames, 'nameOf'>,
  { title, updatedBy, updatedAt }: Version & { readonly title: string; readonly updatedAt: string },
): string =>
  `${title} (${shorten(nameOf(updatedBy))}’s version of ${updatedAt.slice(0, 10)})`.trim();

const lettersMax = 24;

/** Buttons have these names. */
const shorten = (name: string): string => {
  const letters = [...name];
  return letters.length > lettersMax ? `${letters.slice(0, lettersMax - 1).join('')}…` : name;
};

/** At the beginning of a line. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

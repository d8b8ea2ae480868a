import { defaultStringifySearch } from '@tanstack/react-router';

type Place = { readonly pathname: string; readonly search: object };

/** Where a new note is written, below the company: on a list of notes in the folder that is shown. */
export const newNotePath = ({ pathname, search }: Place): string => {
  const folder =
    /\/notes(?:\/broken-links)?$/.test(pathname) && 'folder' in search && search.folder;
  return `/notes/new${folder ? defaultStringifySearch({ folder }) : ''}`;
};

import { useDocumentTitle } from '@mantine/hooks';
import { useEffect } from 'react';
import { pageTitle } from './page-title.ts';

/** Sets the title of the document. */
export const usePageTitle = (title: string): void => {
  useDocumentTitle(`${title} · Commonplace`);
  useEffect(() => pageTitle.set(title), [title]);
};

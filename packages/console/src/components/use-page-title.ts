import { useDocumentTitle } from '@mantine/hooks';

/** Sets the title of the document. */
export const usePageTitle = (title: string): void => useDocumentTitle(`${title} · Commonplace`);

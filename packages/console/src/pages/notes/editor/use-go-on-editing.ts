import { useRouter } from '@tanstack/react-router';
import { useIsAt } from '../../../components/use-is-at.ts';

type Params = { readonly companyId: string; readonly noteId: string };

/** Leads from the page of a note back to its editor, where something was still written as that was left. */
export const useGoOnEditing = () => {
  const router = useRouter();
  const isAt = useIsAt();
  return {
    /** Whether the page of the note is open, or about to be. */
    isAtNote: ({ companyId, noteId }: Params): boolean =>
      isAt(`/companies/${companyId}/notes/${noteId}`),
    goOnEditing: (params: Params): void =>
      void router.navigate({
        to: '/companies/$companyId/notes/$noteId/edit',
        params,
        replace: true,
        ignoreBlocker: true,
      }),
  };
};

import { ButtonLink } from '../../../components/links.tsx';

type HistoryLinkProps = { readonly companyId: string; readonly noteId: string };

/** Leads to the history of a note, which a deleted one has too. */
export const HistoryLink = ({ companyId, noteId }: HistoryLinkProps) => (
  <ButtonLink
    to="/companies/$companyId/notes/$noteId/history"
    params={{ companyId, noteId }}
    variant="default"
  >
    History
  </ButtonLink>
);

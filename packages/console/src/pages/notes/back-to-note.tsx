import { ButtonLink } from '../../components/links.tsx';

type BackToNoteProps = { readonly companyId: string; readonly noteId: string };

/** Leads from a page about a note to the note. */
export const BackToNote = ({ companyId, noteId }: BackToNoteProps) => (
  <ButtonLink
    to="/companies/$companyId/notes/$noteId"
    params={{ companyId, noteId }}
    variant="default"
  >
    Back to note
  </ButtonLink>
);

import { VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { createContext, use } from 'react';
import { useCompanyId } from '../../../api/use-company-id.ts';
import type { ResolveNoteLink } from './resolve-note-link.ts';

/** How the links of the displayed text are resolved. */
export type NoteLinks = {
  readonly resolve: ResolveNoteLink;
  /** Beside an editor: a link that replaced the page would leave the text. */
  readonly opensTab?: boolean;
};

/** The links of the displayed text; by default no target is known. */
export const NoteLinkContext = createContext<NoteLinks>({ resolve: () => undefined });

type NoteLinkProps = {
  /** The title or id as written. */
  readonly written: string;
  readonly children: React.ReactNode;
};

/** A link in the text of a note to another note. Without a target it stays text. */
export const NoteLink = ({ written, children }: NoteLinkProps) => {
  const companyId = useCompanyId();
  const { resolve, opensTab = false } = use(NoteLinkContext);
  const noteId = resolve(written);
  if (noteId === undefined) {
    return children;
  }
  return noteId === null ? (
    <span
      title="There is no note with this title."
      style={{ borderBottom: '1px dashed var(--mantine-color-dimmed)' }}
    >
      {children}
      <VisuallyHidden> (no such note)</VisuallyHidden>
    </span>
  ) : (
    <Link
      to="/companies/$companyId/notes/$noteId"
      params={{ companyId, noteId }}
      {...(opensTab ? { target: '_blank' } : {})}
    >
      {children}
    </Link>
  );
};

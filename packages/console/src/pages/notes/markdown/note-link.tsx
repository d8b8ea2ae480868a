import { VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { createContext, use, useRef } from 'react';
import { notesOfTitleQuery } from '../../../api/note-queries.ts';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { isId } from '../../../components/is-id.ts';
import { newTab } from '../../../components/new-tab.ts';
import { targetIn, type ResolveNoteLink } from './resolve-note-link.ts';
import { useIsNear } from './use-is-near.ts';

/** How the links of the displayed text are resolved. */
export type NoteLinks = {
  readonly resolve: ResolveNoteLink;
  /** Beside an editor: a link that replaced the page would leave the text. */
  readonly opensTab?: boolean;
  /** The folder of the text, if links that are not resolved are looked up one by one, as they come into view. */
  readonly soughtFrom?: string;
  /** The title of a note that a link names by its id. */
  readonly titleOf?: (noteId: string) => string | undefined;
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
  const { resolve, soughtFrom, titleOf } = use(NoteLinkContext);
  const noteId = resolve(written);
  if (noteId === undefined && soughtFrom !== undefined && !isId(written)) {
    return (
      <SoughtLink written={written} folder={soughtFrom}>
        {children}
      </SoughtLink>
    );
  }
  const isBare = children === written && isId(written);
  return (
    <LinkToNote noteId={noteId}>
      {(isBare ? titleOf?.(written.toLowerCase()) : undefined) ?? children}
    </LinkToNote>
  );
};

type SoughtLinkProps = NoteLinkProps & { readonly folder: string };

/** The service lists some hundred links of a note; those beyond them are looked up by their title. */
const SoughtLink = ({ written, folder, children }: SoughtLinkProps) => {
  const companyId = useCompanyId();
  const box = useRef<HTMLSpanElement>(null);
  const isNear = useIsNear(box);
  const { data } = useQuery({ ...notesOfTitleQuery(companyId, written), enabled: isNear });
  return (
    <span ref={box}>
      <LinkToNote noteId={data && targetIn(data.items, folder)}>{children}</LinkToNote>
    </span>
  );
};

type LinkToNoteProps = {
  /** Null if there is no such note, undefined if that is not known. */
  readonly noteId: string | null | undefined;
  readonly children: React.ReactNode;
};

const LinkToNote = ({ noteId, children }: LinkToNoteProps) => {
  const companyId = useCompanyId();
  const { opensTab = false } = use(NoteLinkContext);
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
      {...(opensTab ? newTab : {})}
    >
      {children}
    </Link>
  );
};

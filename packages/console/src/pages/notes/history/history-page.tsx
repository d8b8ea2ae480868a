import { CloseButton, Group, Paper, Stack, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { IconHistory } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { noteQuery, revisionsQuery } from '../../../api/note-queries.ts';
import { isNotGranted } from '../../../api/problems.ts';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ListBody } from '../../../components/list-body.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { Said } from '../../../components/said.tsx';
import { CompareVersions } from './compare-versions.tsx';
import { VersionRow, VersionText } from './version-row.tsx';
import { BackToNote } from '../back-to-note.tsx';
import { NotGranted } from '../not-granted.tsx';
import classes from './history.module.css';
import { useLiveNotes } from '../use-live-notes.ts';
import { titleText } from '../../../components/title-text.ts';

const route = getRouteApi('/signed-in/companies/$companyId/notes/$noteId/history');

/**
 * The versions of a note with their authors, texts and changes; each can be restored, and any two compared. What is open is
 * in the address.
 */
export const HistoryPage = () => {
  const companyId = useCompanyId();
  const { noteId } = route.useParams();
  const { version, chosen, lastChosen, open, choose, end } = useOpenVersions();
  const { query, note } = useHistory(companyId, noteId);
  if (isNotGranted(query.error)) {
    return <NotGranted companyId={companyId} />;
  }
  return (
    <>
      <PageHeader
        title="History"
        description={note && titleText(note.title)}
        actions={<BackToNote companyId={companyId} noteId={noteId} />}
      />
      <Comparison noteId={noteId} chosen={chosen} lastChosen={lastChosen} onClose={end} />
      <ListBody
        query={query}
        found={{ noun: 'revision' }}
        empty={<EmptyState icon={IconHistory} title="No revisions" />}
      >
        {(revisions) => (
          <Stack>
            {version !== undefined && !isListed(revisions, version) && (
              <OlderVersion noteId={noteId} revision={version} onClose={() => open(undefined)} />
            )}
            {revisions.map((summary) => (
              <VersionRow
                key={summary.revision}
                noteId={noteId}
                summary={summary}
                newest={revisions[0] ?? summary}
                isOpen={summary.revision === version}
                onOpen={open}
                isCompared={chosen.includes(summary.revision)}
                onCompare={choose}
              />
            ))}
          </Stack>
        )}
      </ListBody>
    </>
  );
};

const useHistory = (companyId: string, noteId: string) => {
  useLiveNotes(companyId);
  const query = useInfiniteQuery(revisionsQuery(companyId, noteId));
  // A deleted note has a history but no title.
  const { data: note } = useQuery(noteQuery(companyId, noteId));
  return { query, note };
};

const isListed = (revisions: readonly { readonly revision: number }[], version: number): boolean =>
  revisions.some(({ revision }) => revision === version);

type OlderVersionProps = {
  readonly noteId: string;
  readonly revision: number;
  readonly onClose: () => void;
};

/** A version that a link leads to, and that is not among those listed so far. */
const OlderVersion = ({ noteId, revision, onClose }: OlderVersionProps) => (
  <Paper className="panel" withBorder p="md">
    <Group justify="space-between" wrap="nowrap">
      <Title order={2} size="h4">
        Revision {revision}
      </Title>
      <CloseButton aria-label={`Close revision ${revision}`} onClick={onClose} />
    </Group>
    <VersionText noteId={noteId} revision={revision} />
  </Paper>
);

type ComparisonProps = {
  readonly noteId: string;
  readonly chosen: readonly number[];
  /** What chose the last one just now, perhaps far below; null: the address has them. */
  readonly lastChosen: HTMLElement | null;
  readonly onClose: () => void;
};

const Comparison = ({ noteId, chosen: [from, to], lastChosen, onClose }: ComparisonProps) => {
  if (from === undefined) {
    return null;
  }
  return to === undefined ? (
    <Said size="md" mb="md" className={classes['chosen'] ?? ''}>
      {`Revision ${from} is chosen. Choose another one to compare it with.`}
    </Said>
  ) : (
    <CompareVersions
      key={`${from} ${to}`}
      noteId={noteId}
      from={from}
      to={to}
      takesFocus={lastChosen !== null}
      onClose={() => {
        onClose();
        lastChosen?.focus();
      }}
    />
  );
};

type Chosen = { readonly older?: number | undefined; readonly newer?: number | undefined };

const chosenOf = ({ older, newer }: Chosen): readonly number[] =>
  [older, newer].filter((each) => each !== undefined);

const toChosen = (versions: readonly number[]): Chosen => {
  const [older, newer] = versions.toSorted((one, other) => one - other);
  return { older, newer };
};

/** The version that is shown and those that are chosen for a comparison, the older one first. */
const useOpenVersions = () => {
  const search = route.useSearch();
  const navigate = useNavigate();
  const [lastChosen, setLastChosen] = useState<HTMLElement | null>(null);
  // The same at each rendering: rows of a long history are rendered again only where they change.
  const actions = useMemo(() => {
    const change = (next: (search: Chosen) => object): void => {
      void navigate({
        to: '.',
        search: (present: object) => ({ ...present, ...next(present) }),
        replace: true,
        resetScroll: false,
      });
    };
    return {
      open: (version: number | undefined) => change(() => ({ version })),
      /** Ends the comparison. */
      end: () => change(() => toChosen([])),
      choose: (revision: number, box: HTMLInputElement) => {
        setLastChosen(box);
        const isCompared = box.checked;
        change((present) => {
          const others = chosenOf(present).filter((each) => each !== revision);
          // A third one takes the place of the older one.
          return toChosen(isCompared ? [...others.slice(-1), revision] : others);
        });
      },
    };
  }, [navigate]);
  return { version: search.version, chosen: chosenOf(search), lastChosen, ...actions };
};

import { Button, Group, Paper, Text, Title } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { memo, useState } from 'react';
import { revisionQuery } from '../../../api/note-queries.ts';
import { isNotFound } from '../../../api/problems.ts';
import { useCan } from '../../../app/session/use-can.ts';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { ActorName } from '../../../components/actor-name.tsx';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { SectionSkeleton } from '../../../components/skeletons.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { LineDiff } from '../diff/line-diff.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { RestoreButton } from './restore-button.tsx';
import classes from '../list/note-list.module.css';
import { titleText } from '../../../components/title-text.ts';

type VersionRowProps = {
  readonly noteId: string;
  readonly summary: Schema<'NoteRevisionSummary'>;
  /** The newest version that is listed. */
  readonly newest: Schema<'NoteRevisionSummary'>;
  /** Its text is shown. */
  readonly isOpen: boolean;
  readonly onOpen: (revision: number | undefined) => void;
  /** It is one of the two that are compared. */
  readonly isCompared: boolean;
  readonly onCompare: (revision: number, box: HTMLInputElement) => void;
};

/** A version of a note: who made it, its text, its changes, and the way back to it. */
export const VersionRow = memo((props: VersionRowProps) => {
  const { noteId, summary, newest, isOpen, onOpen, isCompared, onCompare } = props;
  const [isChangeOpen, setChangeOpen] = useState(false);
  const can = useCan();
  const { revision, deleted, createdAt } = summary;
  const toggle = (isWanted: boolean): void => onOpen(isWanted ? revision : undefined);
  return (
    <Paper className="panel" withBorder p="md">
      <Group justify="space-between">
        <div>
          <Title order={2} size="h4">
            Revision {revision}
            {deleted && ' (deleted)'}
          </Title>
          <Text size="sm" c="dimmed">
            <Origin summary={summary} /> <RelativeTime at={createdAt} />
          </Text>
        </div>
        <Group gap="xs">
          <label className={classes['labelled']}>
            <input
              type="checkbox"
              className={`mantine-focus-auto ${classes['box']}`}
              aria-label={`Compare revision ${revision}`}
              checked={isCompared}
              onChange={(event) => onCompare(revision, event.currentTarget)}
            />
            Compare
          </label>
          {!deleted && (
            <Disclosure what="text" revision={revision} isOpen={isOpen} onToggle={toggle} />
          )}
          <Disclosure
            what="changes"
            revision={revision}
            isOpen={isChangeOpen}
            onToggle={setChangeOpen}
          />
          {can.write && summary !== newest && !deleted && (
            <RestoreButton noteId={noteId} revision={revision} newest={newest} />
          )}
        </Group>
      </Group>
      {isOpen && !deleted && <VersionText noteId={noteId} revision={revision} />}
      {isChangeOpen && <Changes noteId={noteId} revision={revision} />}
    </Paper>
  );
});

/** Who made it, in which way, what it restored, and of a proposal who accepted it. */
const Origin = ({
  summary: { createdBy, proposal, restoredFrom },
}: Pick<VersionRowProps, 'summary'>) => (
  <>
    by <ActorName actor={createdBy} />
    {createdBy.via === 'mcp' && ' over MCP'}
    {createdBy.via === 'undo' && ', by an undo'}
    {restoredFrom !== undefined && `, restored from revision ${restoredFrom}`}
    {proposal && (
      <>
        , a proposal accepted by <ActorName actor={proposal.acceptedBy} />
      </>
    )}
  </>
);

type DisclosureProps = {
  readonly what: string;
  readonly revision: number;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
};

const Disclosure = ({ what, revision, isOpen, onToggle }: DisclosureProps) => {
  const label = `${isOpen ? 'Hide' : 'Show'} ${what}`;
  return (
    <Button
      size="xs"
      variant="subtle"
      color="gray"
      aria-expanded={isOpen}
      aria-label={`${label} of revision ${revision}`}
      onClick={() => onToggle(!isOpen)}
    >
      {label}
    </Button>
  );
};

type VersionProps = { readonly noteId: string; readonly revision: number };

/** Title, folder, tags and text of a version. */
export const VersionText = ({ noteId, revision }: VersionProps) => {
  const companyId = useCompanyId();
  const { data, error } = useQuery(revisionQuery(companyId, noteId, revision));
  if (error) {
    return <ErrorAlert error={error} />;
  }
  return data ? (
    <section aria-label={`Text of revision ${revision}`} style={{ marginTop: 12 }}>
      <Text size="sm" c="dimmed" mb="xs">
        {[titleText(data.title), data.folder, ...data.tags.map((tag) => `#${tag}`)]
          .filter((part) => part !== '')
          .join(' · ')}
      </Text>
      {data.content === '' ? (
        <Text c="dimmed">This version is empty.</Text>
      ) : (
        <Markdown>{data.content}</Markdown>
      )}
    </section>
  ) : (
    <SectionSkeleton />
  );
};

const Changes = ({ noteId, revision }: VersionProps) => {
  const companyId = useCompanyId();
  const after = useQuery(revisionQuery(companyId, noteId, revision));
  const before = useQuery({
    ...revisionQuery(companyId, noteId, revision - 1),
    enabled: revision > 1,
  });
  // Retention may have removed the previous revision: then everything counts as added.
  const failure = after.error ?? (isNotFound(before.error) ? null : before.error);
  if (failure) {
    return <ErrorAlert error={failure} />;
  }
  if (!after.data || (revision > 1 && before.isPending)) {
    return <SectionSkeleton />;
  }
  return (
    <div style={{ marginTop: 12 }}>
      <LineDiff
        before={before.data?.content ?? ''}
        after={after.data.content}
        label={`Changes of revision ${revision}`}
      />
    </div>
  );
};

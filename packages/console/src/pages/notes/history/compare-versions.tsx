import { CloseButton, Group, List, Paper, Text, Title } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { revisionQuery } from '../../../api/note-queries.ts';
import { isNotFound } from '../../../api/problems.ts';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { ActorName } from '../../../components/actor-name.tsx';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { SectionSkeleton } from '../../../components/skeletons.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { LineDiff } from '../diff/line-diff.tsx';

type Version = Schema<'NoteRevision'>;

type CompareVersionsProps = {
  readonly noteId: string;
  /** The older one. */
  readonly from: number;
  readonly to: number;
  /** It is scrolled to, and read out. */
  readonly takesFocus: boolean;
  readonly onClose: () => void;
};

/** What differs between two versions of a note, whatever is between them. Old versions are removed after some time. */
export const CompareVersions = (props: CompareVersionsProps) => {
  const { noteId, from, to, onClose } = props;
  const companyId = useCompanyId();
  const before = useQuery(revisionQuery(companyId, noteId, from));
  const after = useQuery(revisionQuery(companyId, noteId, to));
  const isOlderGone = isNotFound(before.error);
  const failure = after.error ?? (isOlderGone ? null : before.error);
  const title = `Revision ${from} compared with revision ${to}`;
  const heading = useFocusAtFirst(props.takesFocus);
  return (
    <Paper component="section" aria-label={title} className="panel" withBorder p="md" mb="md">
      <Group justify="space-between" wrap="nowrap">
        <Title order={2} size="h4" ref={heading} tabIndex={-1}>
          {title}
        </Title>
        <CloseButton aria-label="Close the comparison" onClick={onClose} />
      </Group>
      {failure ? (
        <ErrorAlert error={failure} />
      ) : before.data && after.data ? (
        <Differences before={before.data} after={after.data} />
      ) : isOlderGone && after.data ? (
        <Newer older={from} version={after.data} />
      ) : (
        <SectionSkeleton />
      )}
    </Paper>
  );
};

/** An element that gets the focus, and is scrolled to, when it is there. */
const useFocusAtFirst = (isWanted: boolean) => {
  const element = useRef<HTMLHeadingElement>(null);
  const focus = useEffectEvent(() => isWanted && element.current?.focus());
  useEffect(() => void focus(), []);
  return element;
};

const Differences = ({ before, after }: { readonly before: Version; readonly after: Version }) => {
  const fields = changedFields(before, after);
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        From <Written version={before} /> to <Written version={after} />
      </Text>
      {fields.length > 0 && (
        <List size="sm" mb="xs" aria-label="Changed fields">
          {fields.map(({ name, from, to }) => (
            <List.Item key={name}>
              {name}: <del>{from}</del> → <ins>{to}</ins>
            </List.Item>
          ))}
        </List>
      )}
      {before.content === after.content ? (
        <Text size="sm">The text is the same.</Text>
      ) : (
        <LineDiff before={before.content} after={after.content} label="Differences" />
      )}
    </>
  );
};

type NewerProps = { readonly older: number; readonly version: Version };

/** The newer version alone, whose differences are not known. */
const Newer = ({ older, version }: NewerProps) => (
  <>
    <Text size="sm" role="status" mb="xs">
      Revision {older} is no longer stored, so what changed is not known. This is the text of
      revision {version.revision}, <Written version={version} />.
    </Text>
    {version.content === '' ? (
      <Text c="dimmed">This version is empty.</Text>
    ) : (
      <Markdown>{version.content}</Markdown>
    )}
  </>
);

const Written = ({ version }: { readonly version: Version }) => (
  <>
    that of <ActorName actor={version.createdBy} /> (<RelativeTime at={version.createdAt} />)
  </>
);

/** What differs besides the text. */
const changedFields = (before: Version, after: Version) =>
  (
    [
      ['Title', ({ title }) => title],
      ['Folder', ({ folder }) => folder],
      ['Tags', ({ tags }) => tags.join(', ')],
      ['Pinned', ({ pinned }) => (pinned ? 'yes' : 'no')],
      ['Archived', ({ archived }) => (archived ? 'yes' : 'no')],
      ['Properties', ({ properties }) => JSON.stringify(properties)],
    ] satisfies readonly (readonly [string, (version: Version) => string])[]
  ).flatMap(([name, read]) => {
    const [from, to] = [read(before), read(after)];
    return from === to ? [] : [{ name, from: from || 'none', to: to || 'none' }];
  });

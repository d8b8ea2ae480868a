import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { unresolvedConflictsQuery } from '../../api/dashboard-queries.ts';
import { TextLink } from '../../components/links.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';

const shownMax = 5;

/** Links to the latest unresolved conflicts. */
export const LatestConflicts = ({ companyId }: { readonly companyId: string }) => (
  <Section title="Conflicts to resolve" query={useQuery(unresolvedConflictsQuery(companyId))}>
    {({ items }) => (
      <Stack gap="xs">
        {items.length === 0 && (
          <Text c="dimmed" size="sm">
            None: every edit was merged.
          </Text>
        )}
        {items.slice(0, shownMax).map(({ id, title, updatedAt }) => (
          <Group key={id} justify="space-between" wrap="nowrap">
            <TextLink
              to="/companies/$companyId/notes/$noteId/conflict"
              params={{ companyId, noteId: id }}
              size="sm"
              truncate
            >
              {title === '' ? 'Untitled' : title}
            </TextLink>
            <Text span c="dimmed" size="sm">
              <RelativeTime at={updatedAt} />
            </Text>
          </Group>
        ))}
      </Stack>
    )}
  </Section>
);

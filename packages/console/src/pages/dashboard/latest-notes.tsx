import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { latestNotesQuery } from '../../api/dashboard-queries.ts';
import { TextLink } from '../../components/links.tsx';
import { PlainList } from '../../components/plain-list.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { titleText } from '../../components/title-text.ts';

/** Links to the most recently changed notes. */
export const LatestNotes = ({ companyId }: { readonly companyId: string }) => {
  const query = useQuery(latestNotesQuery(companyId));
  return (
    <Section title="Recently changed notes" query={query}>
      {({ items }) =>
        items.length === 0 ? (
          <Text c="dimmed" size="sm">
            No notes yet. Agents create them through the API; you can create them here.
          </Text>
        ) : (
          <PlainList>
            {items.map(({ id, title, updatedAt }) => (
              <Group key={id} component="li" justify="space-between" wrap="nowrap">
                <TextLink
                  to="/companies/$companyId/notes/$noteId"
                  params={{ companyId, noteId: id }}
                  size="sm"
                  truncate
                >
                  {titleText(title)}
                </TextLink>
                <Text span c="dimmed" size="sm">
                  <RelativeTime at={updatedAt} />
                </Text>
              </Group>
            ))}
          </PlainList>
        )
      }
    </Section>
  );
};

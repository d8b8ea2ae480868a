import { Badge } from '@mantine/core';
import { TextLink } from '../../components/links.tsx';

type NoteTagsProps = { readonly companyId: string; readonly tags: readonly string[] };

/** The tags of a note; each leads to all notes that have it. */
export const NoteTags = ({ companyId, tags }: NoteTagsProps) =>
  tags.map((tag) => (
    <TextLink
      key={tag}
      to="/companies/$companyId/notes"
      params={{ companyId }}
      search={{ tag }}
      underline="never"
      style={{ display: 'inline-flex', alignItems: 'center' }}
    >
      <Badge variant="default" style={{ cursor: 'pointer' }}>
        {tag}
      </Badge>
    </TextLink>
  ));

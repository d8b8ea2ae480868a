import { Link } from '@tanstack/react-router';
import classes from './note-list.module.css';

type NoteTagsProps = { readonly companyId: string; readonly tags: readonly string[] };

/** The tags of a note; each links to the notes with that tag. */
export const NoteTags = ({ companyId, tags }: NoteTagsProps) =>
  tags.map((tag) => (
    <Link
      key={tag}
      to="/companies/$companyId/notes"
      params={{ companyId }}
      search={{ tag }}
      title={tag}
      className={`text-link mantine-focus-auto ${classes['tagLink']}`}
    >
      <span className={`one-line ${classes['tag']}`}>{tag}</span>
    </Link>
  ));

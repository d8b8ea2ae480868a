import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import classes from './note-form.module.css';
import type { NoteText } from '../note-text.ts';

type TitleFieldProps = {
  readonly form: UseFormReturnType<NoteText>;
  /** A new note begins with its title. */
  readonly isNew: boolean;
  /** Enter goes on to the text. */
  readonly onEnter: () => void;
};

/** The title, as large as it is read. */
export const TitleField = ({ form, isNew, onEnter }: TitleFieldProps) => (
  <TextInput
    variant="unstyled"
    aria-label="Title"
    placeholder="Untitled"
    maxLength={500}
    classNames={{ input: `any-script ${classes['title']}` }}
    data-takes-focus={isNew || undefined}
    autoFocus={isNew}
    onKeyDown={(event) => {
      if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
        // It would save, and leave the page.
        event.preventDefault();
        onEnter();
      }
    }}
    {...form.getInputProps('title')}
  />
);

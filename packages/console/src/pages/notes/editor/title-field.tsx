import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import classes from './note-form.module.css';
import { titleCharactersMax, type NoteText } from '../note-text.ts';

type TitleFieldProps = {
  readonly form: UseFormReturnType<NoteText>;
  /** A new note begins with its title. */
  readonly isNew: boolean;
  /** Enter goes on to the text, and so does Tab: Shift and Tab lead back from there, by the toolbar. */
  readonly onGoOn: () => void;
  /** Whether there is nothing but the toolbar between title and text. */
  readonly isNext: () => boolean;
};

/** The title, as large as it is read. */
export const TitleField = ({ form, isNew, onGoOn, isNext }: TitleFieldProps) => (
  <TextInput
    variant="unstyled"
    aria-label="Title"
    placeholder="Untitled"
    maxLength={titleCharactersMax}
    classNames={{ input: `any-script ${classes['title']}` }}
    data-takes-focus={isNew || undefined}
    autoFocus={isNew}
    onKeyDown={(event) => {
      const isEnter = event.key === 'Enter' && !event.nativeEvent.isComposing;
      if (isEnter || (event.key === 'Tab' && !event.shiftKey && isNext())) {
        // Enter would save, and leave the page.
        event.preventDefault();
        onGoOn();
      }
    }}
    {...form.getInputProps('title')}
  />
);

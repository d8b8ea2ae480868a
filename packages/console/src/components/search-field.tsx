import { TextInput } from '@mantine/core';
import type { TextInputProps } from '@mantine/core';
import { useSearchText, type SearchText } from './use-search-text.ts';

type SearchFieldProps = Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange'> & SearchText;

/** A text field for a parameter of the address. Escape empties it. */
export const SearchField = ({ value, onChange, ...props }: SearchFieldProps) => {
  const { text, type } = useSearchText({ value, onChange });
  return (
    <TextInput
      {...props}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        // With an input method, Escape is about the word that is composed.
        if (event.key === 'Escape' && text !== '' && !event.nativeEvent.isComposing) {
          event.preventDefault();
          type('');
        }
      }}
    />
  );
};

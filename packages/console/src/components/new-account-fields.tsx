import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { PasswordField } from './password-field.tsx';

type NewAccount = { readonly name: string; readonly password: string };

const lengthOf = (text: string): number => [...text.normalize('NFKC')].length;

/** The length check of a password; null if valid. The server also rejects common passwords. */
export const passwordProblem = (password: string): string | null =>
  lengthOf(password) < 15
    ? 'Use at least 15 characters. A few words are easy to remember.'
    : lengthOf(password) > 128
      ? 'Use at most 128 characters.'
      : null;

/** Name and password of a new account. */
export const NewAccountFields = <Values extends NewAccount>({
  form,
}: {
  readonly form: UseFormReturnType<Values>;
}) => (
  <>
    <TextInput
      label="Name"
      autoComplete="name"
      maxLength={200}
      required
      withAsterisk={false}
      {...form.getInputProps('name')}
    />
    <PasswordField
      label="Password"
      description="At least 15 characters"
      autoComplete="new-password"
      {...form.getInputProps('password')}
    />
  </>
);

import { PasswordInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

type NewAccount = { readonly name: string; readonly password: string };

const lengthOf = (text: string): number => [...text.normalize('NFKC')].length;

/** What a password must be before it is worth sending; common ones the server knows. */
export const passwordProblem = (password: string): string | null =>
  lengthOf(password) < 15
    ? 'Use 15 characters or more: a few words are easy to remember.'
    : lengthOf(password) > 128
      ? 'Use 128 characters or fewer.'
      : null;

/** Name and password of somebody new. */
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
    <PasswordInput
      label="Password"
      description="15 characters or more"
      autoComplete="new-password"
      required
      withAsterisk={false}
      {...form.getInputProps('password')}
    />
  </>
);

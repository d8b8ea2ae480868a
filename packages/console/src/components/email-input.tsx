import { TextInput, type TextInputProps } from '@mantine/core';

/** The email of an operator's account, which browsers fill in. */
export const EmailInput = (props: TextInputProps) => (
  <TextInput
    label="Email"
    type="email"
    autoComplete="username"
    required
    withAsterisk={false}
    {...props}
  />
);

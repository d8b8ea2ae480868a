import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** A required field for a password. One that was refused is marked for screen readers, too: Mantine's own is not. */
export const PasswordField = (props: PasswordInputProps) => (
  <PasswordInput required withAsterisk={false} aria-invalid={Boolean(props.error)} {...props} />
);

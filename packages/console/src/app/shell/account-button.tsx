import { Avatar, UnstyledButton } from '@mantine/core';

/** The button of the account menu. */
export const AccountButton = (props: React.ComponentPropsWithRef<'button'>) => (
  <UnstyledButton aria-label="Account menu" aria-haspopup="menu" aria-expanded={false} {...props}>
    <Avatar color="lamp" size={34} radius="xl" alt="" />
  </UnstyledButton>
);

import { Title } from '@mantine/core';

/** The heading of a part of a page. */
export const SectionTitle = ({ children }: { readonly children: React.ReactNode }) => (
  <Title order={2} size="h3">
    {children}
  </Title>
);

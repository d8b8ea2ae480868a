import { Text } from '@mantine/core';

type IndexingNoticeProps = {
  /** What is loaded of lists of links. */
  readonly pages: readonly { readonly isComplete: boolean }[] | undefined;
};

/** Says that links may be missing, while the server is still looking for those of earlier notes. */
export const IndexingNotice = ({ pages = [] }: IndexingNoticeProps) =>
  pages.some(({ isComplete }) => !isComplete) && (
    <Text size="sm" c="dimmed">
      Notes are still being indexed. Some links may be missing.
    </Text>
  );

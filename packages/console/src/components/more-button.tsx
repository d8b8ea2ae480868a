import { Button, Group } from '@mantine/core';

type MoreButtonProps = {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
};

/** Reads the next page of an infinite query; nothing when there is none. */
export const MoreButton = ({ query }: MoreButtonProps) =>
  query.hasNextPage ? (
    <Group justify="center" mt="md">
      <Button
        variant="default"
        loading={query.isFetchingNextPage}
        onClick={() => void query.fetchNextPage()}
      >
        Show more
      </Button>
    </Group>
  ) : null;

import { Button, Group } from '@mantine/core';

type LoadMoreButtonProps = {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
};

/** Loads the next page of an infinite query; renders nothing on the last page. */
export const LoadMoreButton = ({ query }: LoadMoreButtonProps) =>
  query.hasNextPage ? (
    <Group justify="center" mt="md">
      <Button
        variant="default"
        loading={query.isFetchingNextPage}
        onClick={() => void query.fetchNextPage()}
      >
        Load more
      </Button>
    </Group>
  ) : null;

import { Button, Group } from '@mantine/core';
import { confirm } from '../../../components/confirm.tsx';
import type { Choice } from './use-resolve-conflict.ts';
import type { VersionNames } from './version-names.ts';

type ButtonsProps = { readonly isPending: boolean; readonly onChoose: (choice: Choice) => void };

/** Keeps one of two versions, or both. */
export const ChoicesOfTwo = ({
  names,
  isPending,
  onChoose,
}: ButtonsProps & { readonly names: VersionNames }) => (
  <>
    <Button variant="default" maw="100%" loading={isPending} onClick={() => onChoose('current')}>
      Keep {names.current}
    </Button>
    <Button variant="default" maw="100%" loading={isPending} onClick={() => onChoose('other')}>
      Keep {names.other}
    </Button>
    <Button variant="default" loading={isPending} onClick={() => onChoose('both')}>
      Keep both
    </Button>
  </>
);

/** The note itself was deleted, so the copy is all that is left. */
export const ChoicesOfOne = ({ isPending, onChoose }: ButtonsProps) => {
  const confirmDelete = (): void =>
    confirm({
      title: 'Delete this version too?',
      text: 'The note itself is already deleted. Both can be restored from their history.',
      confirm: 'Delete version',
      onConfirm: () => onChoose('current'),
    });
  return (
    <Group>
      <Button loading={isPending} onClick={() => onChoose('both')}>
        Keep as a separate note
      </Button>
      <Button color="red" variant="outline" loading={isPending} onClick={confirmDelete}>
        Delete this version…
      </Button>
    </Group>
  );
};

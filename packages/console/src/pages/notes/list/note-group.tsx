import { Table } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { memo } from 'react';
import { isSameView, NoteBlock, type RowProps } from './note-block.tsx';
import { blocksOf, isSameBlock } from './note-blocks.ts';
import { useGroupWindow } from './use-group-window.ts';

type NoteGroupProps = RowProps & { readonly notes: readonly Schema<'ListedNote'>[] };

/** Some blocks of rows, or the height of all. */
export const NoteGroup = memo(
  ({ notes, ...props }: NoteGroupProps) => {
    const blocks = blocksOf(notes);
    const { group, heightPx, heightPxOf, onBlock } = useGroupWindow({
      rows: blocks.map(({ length }) => length),
      isWindowed: props.isWindowed,
    });
    return heightPx === null ? (
      blocks.map((block, place) => (
        <NoteBlock
          // By place: a new first note must not replace every row, with the focus or a click on it.
          key={place}
          notes={block}
          place={place}
          knownPx={heightPxOf(place)}
          onChange={onBlock}
          {...props}
        />
      ))
    ) : (
      <Table.Tbody ref={group}>
        <tr aria-hidden style={{ height: heightPx }} />
      </Table.Tbody>
    );
  },
  (one, other) => isSameBlock(one.notes, other.notes) && isSameView(one, other),
);

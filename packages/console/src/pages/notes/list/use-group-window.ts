import { useCallback, useEffect, useRef, useState } from 'react';
import { guessHeightPx, observeNearness, type BlockWindow } from './use-window.ts';

type Group = { readonly rows: readonly number[]; readonly isWindowed: boolean };

/** By the place of a block in its group: which are rendered, and the heights that they had. */
type Blocks = { readonly near: Set<number>; readonly heightsPx: Map<number, number> };

/**
 * Whether the blocks of a group, with so many rows each, are in the document, or only their height: null, or the height in
 * pixels. They are from when the group is near the window until none of them is. Each body of a table takes time at
 * every layout and in every frame, so a list of thousands of blocks needs groups.
 */
export const useGroupWindow = ({ rows, isWindowed }: Group) => {
  const group = useRef<HTMLTableSectionElement>(null);
  const [{ near, heightsPx }] = useState<Blocks>(() => ({ near: new Set(), heightsPx: new Map() }));
  const [isNear, setIsNear] = useState(!isWindowed);
  const onBlock = useCallback(
    (place: number, heightPx: Parameters<BlockWindow['onChange']>[0]) => {
      if (heightPx === undefined) {
        near.delete(place);
      } else if (heightPx === null) {
        near.add(place);
        setIsNear(true);
      } else {
        near.delete(place);
        heightsPx.set(place, heightPx);
        setIsNear(near.size > 0);
      }
    },
    [near, heightsPx],
  );
  const heightPxOf = (place: number): number | undefined => heightsPx.get(place);
  const [rowPx] = useState(() => guessHeightPx(1));
  const heightPx =
    isWindowed && !isNear
      ? rows.reduce((sum, each, place) => sum + (heightPxOf(place) ?? each * rowPx), 0)
      : null;
  const isCollapsed = heightPx !== null;
  useEffect(() => {
    const element = group.current;
    return element
      ? observeNearness(element, ({ isIntersecting }) => isIntersecting && setIsNear(true))
      : undefined;
  }, [isCollapsed]);
  return { group, heightPx, heightPxOf, onBlock };
};

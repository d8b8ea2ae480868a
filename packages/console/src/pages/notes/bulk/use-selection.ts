import { useCallback, useEffect, useRef, useState } from 'react';

/** The selected rows of a list. */
export type Selection = {
  readonly ids: ReadonlySet<string>;
  /** Changes one row, or every row from the last one that was changed to this one. Stable. */
  readonly toggle: (id: string, isRange: boolean) => void;
  readonly replace: (ids: readonly string[]) => void;
  /** Stable. */
  readonly remove: (ids: readonly string[]) => void;
};

/**
 * Keeps which rows are selected, by id; `order` are the ids as they are listed. Another list begins without a
 * selection.
 */
export const useSelection = (list: string, order: readonly string[]): Selection => {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [previous, setPrevious] = useState(list);
  if (list !== previous) {
    setPrevious(list);
    setIds(new Set());
  }
  const last = useRef<string | null>(null);
  const latest = useRef({ order, ids });
  useEffect(() => {
    latest.current = { order, ids };
  });
  const toggle = useCallback((id: string, isRange: boolean) => {
    const { order: listed, ids: before } = latest.current;
    const from = isRange && last.current !== null ? listed.indexOf(last.current) : -1;
    const to = listed.indexOf(id);
    const changed =
      from === -1 || to === -1 ? [id] : listed.slice(Math.min(from, to), Math.max(from, to) + 1);
    last.current = id;
    const isSelecting = !before.has(id);
    setIds((now) => {
      const next = new Set(now);
      for (const each of changed) {
        if (isSelecting) {
          next.add(each);
        } else {
          next.delete(each);
        }
      }
      return next;
    });
  }, []);
  const replace = useCallback((next: readonly string[]) => setIds(new Set(next)), []);
  const remove = useCallback((gone: readonly string[]) => {
    const removed = new Set(gone);
    setIds((now) => new Set([...now].filter((id) => !removed.has(id))));
  }, []);
  return { ids, toggle, replace, remove };
};

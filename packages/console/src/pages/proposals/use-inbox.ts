import type { Schema } from '@commonplace/client';
import { useState } from 'react';
import { useBulk, type BulkReport } from './use-bulk.ts';
import { useDecide } from './use-decide.ts';

type Proposal = Schema<'Proposal'>;

type InboxProps = {
  readonly companyId: string;
  readonly proposals: readonly Proposal[];
  readonly currentId: string | null;
  /** Opens a proposal. `isDecided`: what is unsaved of the one before was sent. */
  readonly open: (id: string | null, isDecided?: boolean) => void;
};

/** What is selected and decided in the inbox, and the way from one proposal to the next. */
export const useInbox = ({ companyId, proposals, currentId, open }: InboxProps) => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [report, setReport] = useState<BulkReport | null>(null);
  const decide = useDecide(companyId, (ids, { isStaying }) => {
    setChosen((before) => new Set([...before].filter((id) => !ids.has(id))));
    if (isStaying) {
      return;
    }
    if (currentId !== null && ids.has(currentId) && proposals.some(({ id }) => id === currentId)) {
      const nextId = nextOf(proposals, currentId, ids);
      open(nextId, true);
      // Else nothing has the focus: the row and the buttons that had it are gone.
      if (nextId !== null) {
        bringIntoView(nextId);
      }
    }
  });
  const bulk = useBulk(companyId, decide, setReport);
  const selected = proposals.filter(({ id, state }) => state === 'open' && chosen.has(id));
  return {
    decide,
    bulk,
    report,
    clearReport: () => setReport(null),
    isPending: decide.accept.isPending || decide.many.isPending || bulk.isReading,
    /** Keeps the present proposal open, whatever the list shows. */
    keepOpen: (): void => open(currentId),
    selected,
    hasSelection: selected.length > 0,
    /** By the keys of the inbox. */
    decideSelected: { a: () => bulk.accept(selected), r: () => bulk.reject(selected) },
    selectedIds: new Set(selected.map(({ id }) => id)),
    selectAll: (isSelected: boolean): void =>
      setChosen(isSelected ? new Set(proposals.map(({ id }) => id)) : new Set()),
    toggle: (toggled: string): void =>
      setChosen((before) =>
        before.has(toggled)
          ? new Set([...before].filter((id) => id !== toggled))
          : new Set([...before, toggled]),
      ),
    step: (by: 1 | -1): void => {
      const at = proposals.findIndex(({ id }) => id === currentId);
      const next = proposals[at + by];
      if (next) {
        open(next.id);
        bringIntoView(next.id);
      }
    },
  };
};

export type Inbox = ReturnType<typeof useInbox>;

/** The one below what was decided, or else above; null: none is left. */
const nextOf = (
  proposals: readonly Proposal[],
  currentId: string,
  decided: ReadonlySet<string>,
): string | null => {
  const at = proposals.findIndex(({ id }) => id === currentId);
  const isLeft = ({ id, state }: Proposal): boolean => state === 'open' && !decided.has(id);
  const next = proposals.slice(at + 1).find(isLeft) ?? proposals.slice(0, at).findLast(isLeft);
  return next?.id ?? null;
};

const bringIntoView = (id: string): void => {
  const row = document.querySelector(`[data-proposal="${CSS.escape(id)}"]`);
  row?.scrollIntoView({ block: 'nearest' });
  row?.querySelector<HTMLElement>('a')?.focus({ preventScroll: true });
};

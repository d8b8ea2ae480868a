import type { Schema } from '@commonplace/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { itemsOf } from '../../api/pages.ts';
import { proposalsQuery, proposalStates, type ProposalFilter } from '../../api/proposal-queries.ts';
import { useCompanyId } from '../../api/use-company-id.ts';
import { useCan } from '../../app/session/use-can.ts';
import { ListBody } from '../../components/list-body.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { useIsAtOwnPage } from '../../components/use-is-at.ts';
import { useLiveNotes } from '../notes/use-live-notes.ts';
import { BulkResult } from './bulk-result.tsx';
import { byNote } from './by-note.ts';
import { DetailPane } from './detail-pane.tsx';
import { EmptyInbox } from './empty-inbox.tsx';
import { ProposalFilters } from './proposal-filters.tsx';
import { ProposalList } from './proposal-list.tsx';
import classes from './proposals.module.css';
import { SelectionBar } from './selection-bar.tsx';
import { useInbox, type Inbox } from './use-inbox.ts';
import { useInboxKeys } from './use-inbox-keys.ts';

const route = getRouteApi('/signed-in/companies/$companyId/proposals');

/** What agents propose: the list, and beside it one proposal with its changes and the decision. */
export const ProposalsPage = () => {
  const companyId = useCompanyId();
  // The page compares with notes as they are now.
  useLiveNotes(companyId);
  const { filter, openedId, open } = useAddress();
  const query = useInfiniteQuery(proposalsQuery(companyId, filter));
  const proposals = byNote(itemsOf(query.data));
  const firstId = useFirst(proposals);
  // Beside the list there is always one.
  const currentId = openedId ?? firstId;
  const inbox = useInbox({ companyId, proposals, currentId, open });
  const view = currentId !== null && (
    <div className={classes['inbox']} data-open={openedId === null ? undefined : true}>
      <Side
        proposals={proposals}
        isWhole={!query.hasNextPage && filter.agentId === undefined && filter.runId === undefined}
        currentId={currentId}
        inbox={inbox}
        filter={filter}
      />
      <div className={classes['detail']}>
        <DetailPane
          key={currentId}
          companyId={companyId}
          proposalId={currentId}
          inbox={inbox}
          onBack={() => open(null)}
        />
      </div>
    </div>
  );
  return (
    <>
      <PageHeader
        title="Proposals"
        description="Changes that agents propose. A note changes only when someone accepts one."
      />
      <ProposalFilters companyId={companyId} filter={filter} />
      <div role="status">
        {inbox.report && <BulkResult report={inbox.report} onClose={inbox.clearReport} />}
      </div>
      <ListBody
        query={query}
        found={{ noun: 'proposal', filter }}
        empty={openedId === null ? <EmptyInbox filter={filter} /> : view}
      >
        {() => view}
      </ListBody>
    </>
  );
};

type SideProps = {
  readonly proposals: readonly Schema<'Proposal'>[];
  readonly isWhole: boolean;
  readonly currentId: string;
  readonly inbox: Inbox;
  readonly filter: ProposalFilter;
};

/** The list, what can be done with several of it, and its keys. */
const Side = ({ proposals, isWhole, currentId, inbox, filter }: SideProps) => {
  const can = useCan();
  const { step, toggle, selected, bulk } = inbox;
  useInboxKeys({
    j: () => step(1),
    k: () => step(-1),
    x: can.write ? () => toggle(currentId) : null,
    Escape: inbox.hasSelection ? () => inbox.selectAll(false) : null,
  });
  return (
    <div className={classes['side']}>
      {can.write && filter.state === 'open' && proposals.length > 0 && (
        <SelectionBar
          count={selected.length}
          isPending={inbox.isPending}
          isWhole={selected.length === proposals.length}
          onSelectAll={inbox.selectAll}
          onAccept={() => bulk.accept(selected)}
          onReject={() => bulk.reject(selected)}
        />
      )}
      <ProposalList
        proposals={proposals}
        isWhole={isWhole}
        currentId={currentId}
        selected={inbox.selectedIds}
        onSelect={can.write ? toggle : undefined}
      />
    </div>
  );
};

/** The first of a list, also after newer ones came before it. */
const useFirst = (proposals: readonly Schema<'Proposal'>[]): string | null => {
  const [keptId, setKeptId] = useState<string | null>(null);
  const firstId = proposals.some(({ id }) => id === keptId) ? keptId : (proposals[0]?.id ?? null);
  if (firstId !== keptId) {
    setKeptId(firstId);
  }
  return firstId;
};

/** What the address says: the filter, and the proposal that is open. */
const useAddress = () => {
  const { state, agent, run, proposal } = route.useSearch();
  const navigate = useNavigate();
  const isAtOwnPage = useIsAtOwnPage();
  const filter: ProposalFilter = {
    state: state === 'all' ? undefined : (proposalStates.find((each) => each === state) ?? 'open'),
    agentId: agent,
    runId: run,
  };
  return {
    filter,
    openedId: proposal ?? null,
    open: (id: string | null, isDecided = false): void => {
      // With the response to a decision, another page may be open.
      if (isAtOwnPage()) {
        void navigate({
          to: '.',
          search: (search: object): object => ({ ...search, proposal: id ?? undefined }),
          replace: true,
          resetScroll: false,
          ignoreBlocker: isDecided,
        });
      }
    },
  };
};

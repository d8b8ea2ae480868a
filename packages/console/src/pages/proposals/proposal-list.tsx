import { Checkbox, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { TextLink } from '../../components/links.tsx';
import { Name } from '../../components/name.tsx';
import { nameOfAuthor } from '../../components/name-of-author.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { countByNote } from './by-note.ts';
import { titleOf } from './proposal-words.ts';
import classes from './proposals.module.css';

type Proposal = Schema<'Proposal'>;

type ProposalListProps = {
  readonly proposals: readonly Proposal[];
  /** Whether all open ones of every note are among them. */
  readonly isWhole: boolean;
  readonly currentId: string | null;
  readonly selected: ReadonlySet<string>;
  /** Absent: nothing can be selected. */
  readonly onSelect?: ((id: string) => void) | undefined;
};

/** Proposals with who proposed what, where, when and why, and how many are open for the same note. */
export const ProposalList = (props: ProposalListProps) => {
  const { proposals, isWhole, currentId, selected, onSelect } = props;
  const counts = countByNote(proposals);
  return (
    proposals.length > 0 && (
      <ul className={classes['list']} aria-label="Proposals">
        {proposals.map((proposal) => (
          <ProposalRow
            key={proposal.id}
            proposal={proposal}
            others={
              proposal.state === 'open'
                ? describeOthers(counts.get(proposal.noteId), isWhole)
                : null
            }
            isCurrent={proposal.id === currentId}
            isSelected={selected.has(proposal.id)}
            onSelect={proposal.state === 'open' ? onSelect : undefined}
          />
        ))}
      </ul>
    )
  );
};

/** How many are open for the same note; without the number where more of them may follow. Null: no other is known. */
const describeOthers = (count = 1, isWhole: boolean): string | null =>
  count > 1 ? `One of ${isWhole ? count : 'several'} for this note` : null;

type ProposalRowProps = {
  readonly proposal: Proposal;
  /** What is said of open ones for the same note. */
  readonly others: string | null;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly onSelect: ProposalListProps['onSelect'];
};

const ProposalRow = ({ proposal, others, isCurrent, isSelected, onSelect }: ProposalRowProps) => {
  const { id, companyId, state, author, folder, createdAt, reason, proposalOf } = proposal;
  const title = titleOf(proposal);
  return (
    <li className={classes['row']} data-proposal={id} data-current={isCurrent || undefined}>
      {onSelect && (
        <Checkbox
          size="md"
          aria-label={`Select ${title}`}
          checked={isSelected}
          onChange={() => onSelect(id)}
        />
      )}
      <div className={classes['what']}>
        <div className={classes['first']}>
          <TextLink
            to="/companies/$companyId/proposals"
            params={{ companyId }}
            search={(search: object) => ({ ...search, proposal: id })}
            replace
            resetScroll={false}
            aria-current={isCurrent ? 'true' : undefined}
            className={`any-script ${classes['title']}`}
          >
            {title}
          </TextLink>
          {state !== 'open' && <StatusBadge status={state} />}
        </div>
        <Text size="sm" c="dimmed" className="any-script">
          <Name>{nameOfAuthor(author)}</Name> · {proposalOf === null ? 'new note' : 'change'}
          {folder !== '' && ` · ${folder}`} · <RelativeTime at={createdAt} />
        </Text>
        {others && (
          <Text size="sm" fw={500}>
            {others}
          </Text>
        )}
        {reason !== null && (
          <Text size="sm" lineClamp={2} className="any-script">
            {reason}
          </Text>
        )}
      </div>
    </li>
  );
};

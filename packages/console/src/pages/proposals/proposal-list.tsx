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
  readonly currentId: string | null;
  readonly selected: ReadonlySet<string>;
  /** Absent: nothing can be selected. */
  readonly onSelect?: ((id: string) => void) | undefined;
};

/** Proposals with who proposed what, where, when and why, and how many are open for the same note. */
export const ProposalList = ({ proposals, currentId, selected, onSelect }: ProposalListProps) => {
  const counts = countByNote(proposals);
  return (
    proposals.length > 0 && (
      <ul className={classes['list']} aria-label="Proposals">
        {proposals.map((proposal) => (
          <ProposalRow
            key={proposal.id}
            proposal={proposal}
            forNote={proposal.state === 'open' ? (counts.get(proposal.noteId) ?? 1) : 1}
            isCurrent={proposal.id === currentId}
            isSelected={selected.has(proposal.id)}
            onSelect={proposal.state === 'open' ? onSelect : undefined}
          />
        ))}
      </ul>
    )
  );
};

type ProposalRowProps = {
  readonly proposal: Proposal;
  /** Open ones for the same note, this one included. */
  readonly forNote: number;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly onSelect: ProposalListProps['onSelect'];
};

const ProposalRow = ({ proposal, forNote, isCurrent, isSelected, onSelect }: ProposalRowProps) => {
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
        {forNote > 1 && (
          <Text size="sm" fw={500}>
            One of {forNote} for this note
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

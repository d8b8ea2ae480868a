import { useMoney } from '../../components/use-money.ts';
import { NameLink, TextLink } from '../../components/links.tsx';
import { Name } from '../../components/name.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { isBudgetUsedUp, type Concern } from './find-concerns.ts';
import { titleText } from '../../components/title-text.ts';

type ConcernTextProps<Kind extends Concern['kind'] = Concern['kind']> = {
  readonly companyId: string;
  readonly concern: Extract<Concern, { readonly kind: Kind }>;
  readonly nameOf: (agentId: string) => string;
};

/** A concern in a sentence, with a link to where one acts on it. */
export const ConcernText = (props: ConcernTextProps) => {
  const { companyId, concern, nameOf } = props;
  switch (concern.kind) {
    case 'budget':
      return <BudgetText companyId={companyId} concern={concern} nameOf={nameOf} />;
    case 'failures':
      return <FailuresText companyId={companyId} concern={concern} nameOf={nameOf} />;
    case 'conflict':
      return (
        <>
          Two versions of{' '}
          <TextLink
            to="/companies/$companyId/notes/$noteId/conflict"
            params={{ companyId, noteId: concern.note.id }}
            title={concern.note.title}
          >
            {titleText(concern.note.title)}
          </TextLink>{' '}
          could not be merged, <RelativeTime at={concern.note.createdAt} />.
        </>
      );
    case 'proposals':
      return <ProposalsText companyId={companyId} count={concern.count} />;
    case 'expiry':
      return (
        <>
          <NameLink
            to="/companies/$companyId/credentials"
            params={{ companyId }}
            search={{ show: 'expiring' }}
            name={concern.credential.name}
          />{' '}
          of <Name>{nameOf(concern.credential.agentId)}</Name> expires{' '}
          <RelativeTime at={concern.credential.expiresAt} />.
        </>
      );
    case 'expired':
      return <ExpiredText companyId={companyId} concern={concern} nameOf={nameOf} />;
    case 'backup':
      return <BackupText lastAt={concern.lastAt} />;
    case 'finding':
      return (
        <>
          <TextLink to="/instance">{concern.finding.check}</TextLink>:{' '}
          <span title={concern.finding.detail}>{concern.finding.detail}</span>
        </>
      );
  }
};

const ExpiredText = ({
  companyId,
  concern: {
    credential: { name, agentId, expiresAt },
  },
  nameOf,
}: ConcernTextProps<'expired'>) => (
  <>
    <Name>{nameOf(agentId)}</Name> has no key any more:{' '}
    <NameLink
      to="/companies/$companyId/agents/$agentId"
      params={{ companyId, agentId }}
      search={{ tab: 'keys' }}
      name={name}
    />{' '}
    expired <RelativeTime at={expiresAt} />.
  </>
);

const BackupText = ({ lastAt }: { readonly lastAt: string }) => (
  <>
    The last <TextLink to="/instance">backup</TextLink> finished <RelativeTime at={lastAt} />.
  </>
);

type ProposalsTextProps = { readonly companyId: string; readonly count: number };

const ProposalsText = ({ companyId, count }: ProposalsTextProps) => (
  <>
    <TextLink to="/companies/$companyId/proposals" params={{ companyId }}>
      {count === 1 ? '1 proposal waits' : `${count} proposals wait`}
    </TextLink>{' '}
    for a decision.
  </>
);

const integer = new Intl.NumberFormat();

const BudgetText = ({ companyId, concern: { budget, agent } }: ConcernTextProps<'budget'>) => {
  const { format } = useMoney();
  const used = [
    ...(budget.monthlyCents === null
      ? []
      : [`${format(budget.spentCents + budget.reservedCents)} of ${format(budget.monthlyCents)}`]),
    ...(budget.monthlyTokens === null
      ? []
      : [
          `${integer.format(budget.spentTokens)} of ${integer.format(budget.monthlyTokens)} tokens`,
        ]),
  ].join(', ');
  return (
    <>
      {agent === null ? (
        'The company'
      ) : (
        <NameLink
          to="/companies/$companyId/agents/$agentId"
          params={{ companyId, agentId: agent.id }}
          name={agent.name}
        />
      )}{' '}
      has used {isBudgetUsedUp(budget) ? 'up its budget' : '80 % or more of its budget'}: {used}{' '}
      this month.
    </>
  );
};

const names = new Intl.ListFormat('en');

/** Every agent is named; the reasons are in the list of the latest failures. */
const FailuresText = ({ companyId, concern: { runs }, nameOf }: ConcernTextProps<'failures'>) => {
  const agents = [...Map.groupBy(runs, ({ agentId }) => agentId)].map(([agentId, { length }]) =>
    length === 1 ? nameOf(agentId) : `${nameOf(agentId)} (${length})`,
  );
  return (
    <>
      <TextLink to="/companies/$companyId/runs" params={{ companyId }} search={{ state: 'failed' }}>
        {runs.length === 1 ? '1 run' : `${runs.length} runs`}
      </TextLink>{' '}
      failed within a day, of <bdi title={names.format(agents)}>{names.format(agents)}</bdi>.
    </>
  );
};

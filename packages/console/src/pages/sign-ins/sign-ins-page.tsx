import { SimpleGrid } from '@mantine/core';
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { IconLogin2 } from '@tabler/icons-react';
import { sessionQuery } from '../../api/session-queries.ts';
import { signInsQuery, type SignInFilter } from '../../api/sign-in-queries.ts';
import { DayRange } from '../../components/day-range.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterSelect } from '../../components/filter-select.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { useChangeSearch } from '../../components/use-change-search.ts';
import { describeMethod, methods, outcomes } from './describe-sign-in.ts';
import { SignInTable } from './sign-in-table.tsx';

/** The sign-in history, filtered in the address: the operator's own, for administrators everyone's. */
export const SignInsPage = () => {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const filter = useSearch({ from: '/signed-in/sign-ins' });
  const { isAdmin } = session.operator;
  return (
    <>
      <PageHeader
        title="Sign-ins"
        description={
          isAdmin
            ? 'Sign-ins and failed attempts of everyone, and of unknown email addresses. Kept for 90 days.'
            : 'Your sign-ins and failed attempts. Kept for 90 days.'
        }
      />
      <SignInFilters filter={filter} hasEmail={isAdmin} />
      <SignIns filter={filter} />
    </>
  );
};

type FiltersProps = {
  readonly filter: SignInFilter;
  /** Whether the list has those of others. */
  readonly hasEmail: boolean;
};

const SignInFilters = ({ filter, hasEmail }: FiltersProps) => {
  const change: (next: SignInFilter) => void = useChangeSearch();
  return (
    <SimpleGrid cols={{ base: 2, md: hasEmail ? 5 : 4 }} maw={hasEmail ? 1_000 : 800} mb="md">
      <FilterSelect
        label="Outcome"
        unset="All"
        data={outcomes}
        value={filter.outcome}
        onChange={(value) => change({ outcome: outcomes.find((each) => each === value) })}
      />
      <FilterSelect
        label="Method"
        unset="Any method"
        data={methods.map((value) => ({ value, label: describeMethod(value) }))}
        value={filter.method}
        onChange={(value) => change({ method: methods.find((each) => each === value) })}
      />
      {hasEmail && (
        <SearchField
          label="Email"
          placeholder="name@example.org"
          value={filter.email}
          onChange={(text) => change({ email: text })}
        />
      )}
      <DayRange from={filter.from} to={filter.to} onChange={change} />
    </SimpleGrid>
  );
};

/** A part of an email is no filter: the history is searched for whole ones. */
const isEmail = (text: string): boolean => /^\S+@\S+\.\S+$/.test(text.trim());

const SignIns = ({ filter }: { readonly filter: SignInFilter }) => {
  const { email, ...others } = filter;
  const applied = email !== undefined && isEmail(email) ? filter : others;
  const query = useInfiniteQuery(signInsQuery(applied));
  const isFiltered = Object.values(applied).some((value) => value !== undefined);
  return (
    <ListBody
      query={query}
      found={{ noun: 'sign-in', filter: applied }}
      empty={
        <EmptyState
          icon={IconLogin2}
          title={isFiltered ? 'No matching sign-ins' : 'No sign-ins yet'}
        />
      }
    >
      {(signIns) => <SignInTable signIns={signIns} />}
    </ListBody>
  );
};

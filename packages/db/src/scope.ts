import type { CompanyId, Reach } from '@commonplace/contracts/core';
import { foldersSetting, reachOf, type Reachable } from './reach.ts';
import type { Preparation } from './transaction.ts';

/** A reach whose statements run in the order of an index; `inIndexOrder` makes one. */
export type InIndexOrder = { readonly inIndexOrder: Reach };

/** What the statements of a door see. */
export type Target = Reachable | InIndexOrder;

/**
 * For statements whose rows have the order of an index: makes the planner use that index. A company that has grown since
 * the last ANALYZE looks empty to the planner, so that any index beginning with the company looks equally good, and a
 * lookup of one note may scan all of them. Without sorts, only the index with the order of the statement remains. Has no
 * effect in transactions on Citus.
 */
export const inIndexOrder = (of: Reachable): InIndexOrder => ({ inIndexOrder: reachOf(of) });

/** A reach, and whether its statements run in the order of an index. */
export type Scope = {
  readonly reach: Reach;
  readonly isInIndexOrder: boolean;
  /** Whether one that reads keeps one plan for all values. */
  readonly isPlannedOnce?: boolean;
};

export const scopeOf = (target: Target): Scope =>
  typeof target === 'object' && 'inIndexOrder' in target
    ? { reach: target.inIndexOrder, isInIndexOrder: true }
    : { reach: reachOf(target), isInIndexOrder: false };

/** Sets a scope. The policies read it with `current_setting`. */
export type ScopeStatement = Preparation & { readonly name: string };

type Mode = 'read' | 'write';

/** The statement that sets a scope until the end of its transaction. One of mode `read` forbids writes as well. */
export const scopeStatement = (mode: Mode, scope: Scope): ScopeStatement => {
  const { companyId, folders } = scope.reach;
  const kind = { ...scope, hasFolders: folders !== null };
  const statement = statements[mode][statementIndex(mode, kind)];
  return {
    ...(statement as Omit<ScopeStatement, 'values'>),
    values: folders === null ? [companyId] : [companyId, foldersSetting(folders)],
  };
};

const settings = {
  company: `set_config('app.company_id', $1, true)`,
  readOnly: `set_config('transaction_read_only', 'on', true)`,
  folders: `set_config('app.folders', $2, true)`,
  indexOrder: `set_config('enable_sort', 'off', true)`,
  plannedOnce: `set_config('plan_cache_mode', 'force_generic_plan', true)`,
};

type Kind = Omit<Scope, 'reach'> & { readonly hasFolders: boolean };

const statementIndex = (
  mode: Mode,
  { hasFolders, isInIndexOrder, isPlannedOnce = false }: Kind,
): number =>
  Number(hasFolders) + 2 * Number(isInIndexOrder) + 4 * Number(mode === 'read' && isPlannedOnce);

const either = [false, true] as const;

/** The statements of a mode, at their `statementIndex`: eight, or four where nothing is planned once. */
const statementsOf = (mode: Mode): readonly Omit<ScopeStatement, 'values'>[] =>
  (mode === 'read' ? either : [false]).flatMap((isPlannedOnce) =>
    either.flatMap((isInIndexOrder) =>
      either.map((hasFolders) => ({
        name: [
          mode === 'read' ? 'read scope' : 'scope',
          ...(hasFolders ? ['of folders'] : []),
          ...(isInIndexOrder ? ['in index order'] : []),
          ...(isPlannedOnce ? ['planned once'] : []),
        ].join(' '),
        text: `select ${[
          settings.company,
          ...(mode === 'read' ? [settings.readOnly] : []),
          ...(hasFolders ? [settings.folders] : []),
          ...(isInIndexOrder ? [settings.indexOrder] : []),
          ...(isPlannedOnce ? [settings.plannedOnce] : []),
        ].join(', ')}`,
      })),
    ),
  );

const statements = { read: statementsOf('read'), write: statementsOf('write') };

/**
 * As `scopeStatement` for a transaction on Citus, whose coordinator propagates only SET LOCAL to its workers; there,
 * no scope is in index order.
 */
export const citusScopeStatement = (companyId: CompanyId): Preparation => ({
  text: `set local app.company_id = '${asLiteral(companyId)}'`,
  values: [],
});

/** SET takes no parameters. Ids are parsed before; this checks again, because the id becomes SQL. */
const asLiteral = (companyId: CompanyId): string => {
  if (!/^[0-9a-f-]{36}$/.test(companyId)) {
    throw new Error('A company id is a UUID');
  }
  return companyId;
};

import { AccountButton } from './account-button.tsx';
import { onDemand } from '../../on-demand/on-demand.ts';
import { useStandIn } from '../../on-demand/use-stand-in.ts';
import type { TakeOver } from '../../on-demand/use-take-over.ts';

const menu = onDemand<{ readonly takeOver: TakeOver }>(
  async () => (await import('./account-menu-list.tsx')).AccountMenuList,
);

/** The account menu; its list is loaded when it is about to be used. */
export const AccountMenu = () => {
  const { Control, takeOver, standIn } = useStandIn<
    { readonly takeOver: TakeOver },
    HTMLButtonElement
  >(menu);
  return Control ? <Control takeOver={takeOver} /> : <AccountButton {...standIn} />;
};

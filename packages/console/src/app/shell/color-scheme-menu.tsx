import { ColorSchemeButton } from './color-scheme-button.tsx';
import { onDemand } from '../../on-demand/on-demand.ts';
import { useStandIn } from '../../on-demand/use-stand-in.ts';
import type { TakeOver } from '../../on-demand/use-take-over.ts';

const menu = onDemand<{ readonly takeOver: TakeOver }>(
  async () => (await import('./color-scheme-list.tsx')).ColorSchemeList,
);

/** Light, dark, or the scheme of the system. The browser stores the choice. */
export const ColorSchemeMenu = () => {
  const { Control, takeOver, standIn } = useStandIn<
    { readonly takeOver: TakeOver },
    HTMLButtonElement
  >(menu);
  return Control ? <Control takeOver={takeOver} /> : <ColorSchemeButton {...standIn} />;
};

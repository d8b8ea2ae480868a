import { useEffect, useEffectEvent } from 'react';
import { useChangeSearch } from './use-change-search.ts';
import { useIsAtOwnPage } from './use-is-at.ts';

type ByAddress = {
  /** The dialog in the address. */
  readonly open: string | undefined;
  /** The name of the dialog. */
  readonly wanted: string;
  readonly mayOpen: boolean;
  readonly openDialog: () => void;
};

/** Opens a dialog of a page for an address with `open`, to which the palette leads. */
export const useOpenedByAddress = ({ open, wanted, mayOpen, openDialog }: ByAddress): void => {
  const isWanted = open === wanted;
  const change = useChangeSearch();
  const isAtOwnPage = useIsAtOwnPage();
  const act = useEffectEvent(() => {
    // So that the dialog does not open again with the page.
    change({ open: undefined });
    // Who has left by now finds it on the way back.
    if (mayOpen && isAtOwnPage()) {
      openDialog();
    }
  });
  useEffect(() => {
    if (isWanted) {
      act();
    }
  }, [isWanted]);
};

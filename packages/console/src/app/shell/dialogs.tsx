import { Suspense, useSyncExternalStore } from 'react';
import { endedSession } from '../../api/ended-session.ts';
import { lazyPart } from '../../on-demand/lazy-part.tsx';
import type { Prompt } from '../../api/prompt.ts';
import { reauthentication } from '../../api/reauthentication.ts';
import { modals } from '../../components/modals.ts';
import { useHeldKeys } from '../../on-demand/held-keys.ts';
import { onDemand, type OnDemand } from '../../on-demand/on-demand.ts';
import { useOnDemand } from '../../on-demand/use-on-demand.ts';
import { modalHost } from './modal-host-on-demand.ts';

const NotificationList = lazyPart(
  async () => (await import('./notification-list.tsx')).NotificationList,
);

type PromptedProps = { readonly isNeeded: boolean };

const endedSessionDialog = onDemand<PromptedProps>(
  async () => (await import('../session/ended-session-dialog.tsx')).EndedSessionDialog,
);
const reauthenticationDialog = onDemand<PromptedProps>(
  async () => (await import('../session/reauthentication-dialog.tsx')).ReauthenticationDialog,
);

/** The dialogs and notifications that any page can open. Within the router, so that they can contain links. */
export const Dialogs = () => {
  const modal = useSyncExternalStore(modals.subscribe, modals.current);
  const Host = useOnDemand(modalHost, modal !== null, modals.closeAll);
  useHeldKeys(modal !== null, modals.closeOthers);
  return (
    <>
      {Host && <Host modal={modal} />}
      <PromptDialog prompt={reauthentication} dialog={reauthenticationDialog} />
      <PromptDialog prompt={endedSession} dialog={endedSessionDialog} />
      <Suspense fallback={null}>
        {/* Loaded late: those shown before wait in their store. */}
        <NotificationList />
      </Suspense>
    </>
  );
};

type PromptDialogProps = { readonly prompt: Prompt; readonly dialog: OnDemand<PromptedProps> };

/** A dialog that requests wait for. */
const PromptDialog = ({ prompt, dialog }: PromptDialogProps) => {
  const isNeeded = useSyncExternalStore(prompt.subscribe, prompt.isNeeded);
  const Dialog = useOnDemand(dialog, isNeeded, () => prompt.settle(false));
  return Dialog && <Dialog isNeeded={isNeeded} />;
};

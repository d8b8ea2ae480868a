import { Suspense, useSyncExternalStore } from 'react';
import { endedSession } from '../api/ended-session.ts';
import { lazyPart } from './lazy-part.ts';
import { reauthentication } from '../api/reauthentication.ts';
import { modals, type OpenModal } from './modals.ts';
import { onDemand } from './on-demand.ts';
import { useOnDemand } from './use-on-demand.ts';

const NotificationList = lazyPart(
  async () => (await import('./notification-list.tsx')).NotificationList,
);

const modalHost = onDemand<{ readonly modal: OpenModal | null }>(
  async () => (await import('./modal-host.tsx')).ModalHost,
);
const endedSessionDialog = onDemand<{ readonly isNeeded: boolean }>(
  async () => (await import('./ended-session-dialog.tsx')).EndedSessionDialog,
);
const reauthenticationDialog = onDemand<{ readonly isNeeded: boolean }>(
  async () => (await import('./reauthentication-dialog.tsx')).ReauthenticationDialog,
);

/** The dialogs and notifications that any page can open. Within the router, so that they can contain links. */
export const Dialogs = () => {
  const modal = useSyncExternalStore(modals.subscribe, modals.current);
  const Host = useOnDemand(modalHost, modal !== null, modals.closeAll);
  const isNeeded = useSyncExternalStore(reauthentication.subscribe, reauthentication.isNeeded);
  const Reauthentication = useOnDemand(reauthenticationDialog, isNeeded, () =>
    reauthentication.settle(false),
  );
  const hasEnded = useSyncExternalStore(endedSession.subscribe, endedSession.isNeeded);
  const EndedSession = useOnDemand(endedSessionDialog, hasEnded, () => endedSession.settle(false));
  return (
    <>
      {Host && <Host modal={modal} />}
      {Reauthentication && <Reauthentication isNeeded={isNeeded} />}
      {EndedSession && <EndedSession isNeeded={hasEnded} />}
      <Suspense fallback={null}>
        {/* Loaded late: those shown before wait in their store. */}
        <NotificationList />
      </Suspense>
    </>
  );
};

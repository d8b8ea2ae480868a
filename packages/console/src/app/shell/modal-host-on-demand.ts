import type { OpenModal } from '../../components/modals.ts';
import { onDemand } from '../../on-demand/on-demand.ts';

/** What displays the modals. Load it before a request whose response is shown once, in a modal alone. */
export const modalHost = onDemand<{ readonly modal: OpenModal | null }>(
  async () => (await import('./modal-host.tsx')).ModalHost,
);

type ModalBase = {
  readonly title: string;
  readonly children: React.ReactNode;
  readonly size?: 'md' | 'lg';
  /** Called however the modal closes. */
  readonly onClose?: () => void;
};

/** The buttons of a confirmation. */
export type Confirmation = {
  readonly label: string;
  readonly cancel: string;
  readonly isDangerous: boolean;
  readonly onConfirm: () => void;
  /** Another way to go on, which loses something. */
  readonly alternative?: { readonly label: string; readonly onConfirm: () => void };
};

export type OpenModal = ModalBase & {
  readonly id: number;
  readonly confirmation?: Confirmation;
  /** Neither Escape nor a click beside it closes the modal. */
  readonly isHeld?: boolean;
};

const listeners = new Set<() => void>();
let opened: readonly OpenModal[] = [];
let lastId = 0;

const change = (next: readonly OpenModal[]): void => {
  const closed = opened.filter(({ id }) => !next.some((modal) => modal.id === id));
  opened = next;
  for (const { onClose } of closed) {
    onClose?.();
  }
  for (const listener of listeners) {
    listener();
  }
};

/** The dialogs that are open; the last one is displayed. */
export const modals = {
  open: (modal: Omit<OpenModal, 'id'>): number => {
    lastId += 1;
    change([...opened, { ...modal, id: lastId }]);
    return lastId;
  },
  close: (id: number): void => change(opened.filter((modal) => modal.id !== id)),
  hold: (id: number, isHeld: boolean): void =>
    change(opened.map((modal) => (modal.id === id ? { ...modal, isHeld } : modal))),
  closeAll: (): void => change([]),
  /** Closes all but those that are held. */
  closeOthers: (): void => change(opened.filter(({ isHeld }) => isHeld)),
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Null means none. */
  current: (): OpenModal | null => opened.at(-1) ?? null,
};

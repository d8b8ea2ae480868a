type FormProps = Omit<React.ComponentProps<'form'>, 'ref'> & {
  /** Nothing can be changed meanwhile: what is typed then would be neither sent nor kept. */
  readonly isSaving: boolean;
};

/** A form that is locked while it is saved. */
export const Form = ({ isSaving, children, ...props }: FormProps) => (
  <form {...props}>
    <LockedFields isLocked={isSaving}>{children}</LockedFields>
  </form>
);

type LockedFieldsProps = { readonly isLocked: boolean; readonly children: React.ReactNode };

/** Fields that can be locked. */
export const LockedFields = ({ isLocked, children }: LockedFieldsProps) => (
  <fieldset disabled={isLocked} style={{ display: 'contents' }}>
    {children}
  </fieldset>
);

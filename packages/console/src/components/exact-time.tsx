const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** The local time to the second, for records that are compared with others. Elsewhere times are relative. */
export const ExactTime = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={at}>
    {exact.format(new Date(at))}
  </time>
);

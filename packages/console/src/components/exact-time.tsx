const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const ofDay = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

type ExactTimeProps = {
  readonly at: string;
  /** Whether the day is said nearby. */
  readonly isOfDay?: boolean;
};

/** The local time to the second, for records that are compared with others. Elsewhere times are relative. */
export const ExactTime = ({ at, isOfDay = false }: ExactTimeProps) => (
  <time dateTime={at} title={at}>
    {(isOfDay ? ofDay : exact).format(new Date(at))}
  </time>
);

const types = 'build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test';
const subjectPattern = new RegExp(`^(${types})(\\([a-z0-9-]+\\))?!?: \\S`);

/** `git log --oneline` and web views truncate longer lines. */
const SUBJECT_LENGTH_MAX = 72;

/** Messages that git generates or will squash are exempt. */
const notOurs = /^(Merge|Revert "|fixup!|squash!)/;

/** The faults that keep a message from being a conventional commit. */
export function findMessageFaults(message: string): string[] {
  const [subject = '', second = ''] = message.split('\n').filter((line) => !line.startsWith('#'));
  if (notOurs.test(subject)) {
    return [];
  }
  const faults: string[] = [];
  if (!subjectPattern.test(subject)) {
    faults.push(`begin with "type(scope): summary", where the type is one of ${types}`);
  }
  if (subject.length > SUBJECT_LENGTH_MAX) {
    faults.push(`keep the first line within ${SUBJECT_LENGTH_MAX} characters`);
  }
  if (subject.endsWith('.')) {
    faults.push('end the first line without a full stop');
  }
  if (second !== '') {
    faults.push('leave the second line empty');
  }
  return faults;
}

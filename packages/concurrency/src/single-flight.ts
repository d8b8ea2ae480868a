import { createShortLivedMap } from './short-lived-map.ts';

/** Puts a question for a key. */
type Ask<Question extends { readonly key: string }, Answer> = (
  question: Question,
) => Promise<Answer>;

/**
 * Gives everybody the answer to a question that was sent after they asked. However many come at once, two
 * are sent: while one is under way, which was sent before them, all who come share the next.
 */
export const coalesceFresh = <Question extends { readonly key: string }, Answer>(
  ask: Ask<Question, Answer>,
): Ask<Question, Answer> => {
  const running = createShortLivedMap<string, Promise<Answer>>();
  const upcoming = createShortLivedMap<string, Promise<Answer>>();

  const askAfresh: Ask<Question, Answer> = (question) => {
    const { key } = question;
    const before = running.get(key);
    if (!before) {
      const answer = ask(question).finally(() => running.delete(key));
      running.set(key, answer);
      return answer;
    }
    const send = () => {
      upcoming.delete(key);
      return askAfresh(question);
    };
    const next = upcoming.get(key) ?? before.then(send, send);
    upcoming.set(key, next);
    return next;
  };
  return askAfresh;
};

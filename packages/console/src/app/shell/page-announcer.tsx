import { VisuallyHidden } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { pageTitle } from '../../components/page-title.ts';

/** By then a page has the title that its data give it, and the new focus has been said. */
const settledMs = 400;

/** Long enough to be noticed; afterwards nothing is left at the end of the page. */
const shownMs = 2_000;

/** Says the title of a page to screen readers, which say it by themselves only of a document that was loaded. */
export const PageAnnouncer = () => {
  const [text, setText] = useState('');
  const router = useRouter();
  useEffect(() => {
    let isExpected = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const say = (title: string): void => {
      isExpected = false;
      setText(title);
      timer = setTimeout(() => setText(''), shownMs);
    };
    const stops = [
      router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
        isExpected ||= fromLocation !== undefined && pathChanged;
      }),
      pageTitle.subscribe((title) => {
        if (isExpected) {
          clearTimeout(timer);
          timer = setTimeout(() => say(title), settledMs);
        }
      }),
    ];
    return () => {
      clearTimeout(timer);
      stops.forEach((stop) => stop());
    };
  }, [router]);
  return <VisuallyHidden role="status">{text}</VisuallyHidden>;
};

import { useEffect, useState, type RefObject } from 'react';

const marginPx = 600;

/** Whether an element has been near the window. */
export const useIsNear = (element: RefObject<HTMLElement | null>): boolean => {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    const { current } = element;
    if (isNear || !current) {
      return undefined;
    }
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) {
          setIsNear(true);
        }
      },
      { rootMargin: `${marginPx}px 0px` },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [element, isNear]);
  return isNear;
};

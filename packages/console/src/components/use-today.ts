import { useEffect, useState } from 'react';

const dayMs = 86_400_000;
const checkMs = 60_000;

const startOfToday = (): number => Math.floor(Date.now() / dayMs) * dayMs;

/** The start of the present UTC day, in milliseconds. A page that stays open goes on to the next day. */
export const useToday = (): number => {
  const [todayMs, setTodayMs] = useState(startOfToday);
  useEffect(() => {
    const timer = setInterval(() => setTodayMs(startOfToday()), checkMs);
    return () => clearInterval(timer);
  }, []);
  return todayMs;
};

/** The logo, an open book, without text. The favicon is the same. */
export const Logo = ({ size = 28 }: { readonly size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden focusable="false">
    <rect width="32" height="32" rx="8" fill="var(--mantine-color-lamp-7)" />
    <path
      d="M16 10.2c-2-1.6-4.6-2.2-8-2.2v14.6c3.4 0 6 .6 8 2.2 2-1.6 4.6-2.2 8-2.2V8c-3.4 0-6 .6-8 2.2Z"
      fill="#f6f4ee"
    />
    <path
      d="M16 10.2v14.6M10.5 12.8c1.2.1 2.2.3 3 .6M10.5 16.3c1.2.1 2.2.3 3 .6M18.5 13.4c.8-.3 1.8-.5 3-.6"
      stroke="var(--mantine-color-lamp-7)"
      strokeWidth="1.4"
      strokeLinecap="round"
      fill="none"
    />
  </svg>
);

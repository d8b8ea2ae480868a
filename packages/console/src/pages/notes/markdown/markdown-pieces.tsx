import { startTransition, useEffect, useMemo, useRef, useState } from 'react';
import { splitMarkdown } from './split-markdown.ts';
import classes from './markdown.module.css';

/** How far outside the window pieces are rendered, in pixels. */
const marginPx = 1_500;

type MarkdownPiecesProps = {
  readonly text: string;
  /** Renders a piece that begins at a line of the text, from 0. */
  readonly render: (text: string, firstLine: number) => React.ReactNode;
};

/** A long text in Markdown: what is near the window is rendered, and stays so; the rest is its plain text until then. */
export const MarkdownPieces = ({ text, render }: MarkdownPiecesProps) => {
  const pieces = useMemo(() => splitMarkdown(text), [text]);
  return pieces.map((piece, index) => (
    // By place: an edit changes one piece, and the lines of those below.
    <Piece key={index} text={piece.text} firstLine={piece.firstLine} render={render} />
  ));
};

type PieceProps = MarkdownPiecesProps & { readonly firstLine: number };

const Piece = ({ text, firstLine, render }: PieceProps) => {
  const box = useRef<HTMLDivElement>(null);
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (isNear || !element) {
      return;
    }
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) {
          startTransition(() => setIsNear(true));
        }
      },
      { rootMargin: `${marginPx}px 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isNear]);
  return (
    <div ref={box} className={classes['piece']} data-first-line={firstLine}>
      {isNear ? render(text, firstLine) : <PieceText>{text}</PieceText>}
    </div>
  );
};

/** The text of a piece as it is: found by the browser's search, and about as high as it will be. */
export const PieceText = ({ children }: { readonly children: string }) => (
  <p className={classes['plain']} dir="auto">
    {children}
  </p>
);

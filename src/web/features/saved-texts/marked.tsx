import type { Found } from '#contract/saved-text';

/** A text with what was looked for marked in it. */
export function Marked({ text, marks }: { text: string; marks: Found['marks'] }) {
  return (
    <>
      {marks.map(({ start, end }, at) => [
        text.slice(marks[at - 1]?.end ?? 0, start),
        <mark key={start} className="highlighted forced-colors:underline">
          {text.slice(start, end)}
        </mark>,
      ])}
      {text.slice(marks.at(-1)?.end ?? 0)}
    </>
  );
}

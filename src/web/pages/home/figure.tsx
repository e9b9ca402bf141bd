import { clsx } from 'clsx';

const FILES = import.meta.glob<string>('./figures/*.{avif,webp}', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** The pictures on the home page: the widths of their files, and the size that gives their aspect ratio. */
const PICTURES = {
  receipt: { widths: [450, 900], width: 900, height: 930 },
  screen: { widths: [320, 640], width: 640, height: 632 },
  page: { widths: [440, 880], width: 880, height: 616 },
} as const;

interface FigureProps {
  name: keyof typeof PICTURES;
  alt: string;
  /** The `sizes` attribute: the width at which the picture is shown. */
  sizes: string;
  className?: string;
}

/** One picture in two formats and two sizes. Its space is reserved before it loads. */
export function Figure({ name, alt, sizes, className }: FigureProps) {
  const { widths, width, height } = PICTURES[name];
  const sources = (format: string) =>
    widths.map((each) => `${FILES[`./figures/${name}-${each}.${format}`]} ${each}w`).join(', ');
  return (
    <picture>
      <source type="image/avif" srcSet={sources('avif')} sizes={sizes} />
      <img
        src={FILES[`./figures/${name}-${widths[0]}.webp`]}
        srcSet={sources('webp')}
        sizes={sizes}
        width={width}
        height={height}
        alt={alt}
        loading="lazy"
        decoding="async"
        className={clsx('h-auto w-full [filter:var(--illustration-filter)]', className)}
      />
    </picture>
  );
}

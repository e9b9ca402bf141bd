import { clsx } from 'clsx';

/** Paths on a 24 px grid, for strokes of 1.5 px with square ends. */
const PATHS = {
  menu: 'M4 7h16M4 12h16M4 17h10',
  close: 'M6 6l12 12M18 6L6 18',
  upload: 'M12 16V5M7.5 9.5L12 5l4.5 4.5M4 15v4h16v-4',
  download: 'M12 5v11M7.5 11.5L12 16l4.5-4.5M4 15v4h16v-4',
  copy: 'M9 9h11v11H9zM5.5 15H4V4h11v1.5',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  again: 'M19.5 12a7.5 7.5 0 1 1-2.2-5.3L20 9.2M20 4.5v4.7h-4.7',
  picture: 'M4 5h16v14H4zM4 16l4.5-4.5 4 4L15 13l5 4.5M15.5 9h.01',
  text: 'M5 6.5V5h14v1.5M12 5v14M9.5 19h5',
  warning: 'M12 4l9 16H3zM12 10v4.5M12 17.2v.01',
  info: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 11v5M12 7.8v.01',
  danger: 'M8.5 3.5h7l5 5v7l-5 5h-7l-5-5v-7zM12 8v5M12 16v.01',
  arrow: 'M4 12h15M13.5 6.5L19 12l-5.5 5.5',
  back: 'M20 12H5M10.5 6.5L5 12l5.5 5.5',
  chevron: 'M6 9.5l6 6 6-6',
  external: 'M13 5h6v6M19 5l-9 9M16 14v5H5V8h5',
  user: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20c.6-3.6 3.6-5.5 7.5-5.5s6.9 1.9 7.5 5.5',
  eye: 'M2.5 12C5 7.6 8.2 5.5 12 5.5S19 7.6 21.5 12C19 16.4 15.8 18.5 12 18.5S5 16.4 2.5 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  undo: 'M8.5 5L4.5 9l4 4M5 9h9a5 5 0 0 1 0 10H8',
  redo: 'M15.5 5l4 4-4 4M19 9h-9a5 5 0 0 0 0 10h6',
  camera: 'M4 8h4l1.5-2.5h5L16 8h4v11H4zM12 10a3.3 3.3 0 1 0 0 6.6 3.3 3.3 0 0 0 0-6.6z',
} as const;

export type IconName = keyof typeof PATHS;

interface IconProps {
  /** Without a title the icon is decorative and hidden from screen readers. */
  title?: string;
  className?: string;
}

export function Icon({ name, ...rest }: IconProps & { name: IconName }) {
  return <PathIcon path={PATHS[name]} {...rest} />;
}

/** An icon from a path. Its module has the path, so that only pages with the icon load it. */
export function PathIcon({ path, title, className }: IconProps & { path: string }) {
  const shared = {
    viewBox: '0 0 24 24',
    fill: 'none',
    stroke: 'currentColor',
    strokeWidth: 1.5,
    className: clsx('size-5 shrink-0', className),
  };
  if (title === undefined) {
    return (
      <svg {...shared} aria-hidden="true">
        <path d={path} />
      </svg>
    );
  }
  return (
    <svg {...shared} role="img" aria-label={title}>
      <path d={path} />
    </svg>
  );
}

import { clsx } from 'clsx';
import { createContext, use } from 'react';

/**
 * Advertising formats, width by height in CSS pixels. The space is reserved before anything is shown in it. A slot has its size
 * in a narrower column too, and then reaches out of it on both sides.
 */
const FORMATS = {
  leaderboard: 'h-[90px] w-[728px] mx-[calc(50%-364px)]',
  banner: 'h-[90px] w-[728px] mx-[calc(50%-364px)]',
  rectangle: 'h-[250px] w-[300px] mx-[calc(50%-150px)]',
  mobile: 'h-[50px] w-[320px] mx-[calc(50%-160px)]',
} as const;

const AdsContext = createContext(true);

/** Around everything that may have slots. Without ads nothing is reserved for any. */
export const AdsProvider = AdsContext.Provider;

export const useAds = (): boolean => use(AdsContext);

interface AdSlotProps {
  format: keyof typeof FORMATS;
  className?: string;
}

/** An empty slot: a flat ground with a small label, quiet enough to read past. Corner marks are for pictures. */
export function AdSlot({ format, className }: AdSlotProps) {
  if (!useAds()) return null;
  return (
    <div
      data-ad
      data-ad-format={format}
      className={clsx('flex border border-rule px-2 py-1 text-xs text-ink-faint', FORMATS[format], className)}
    >
      Advertisement
    </div>
  );
}

/** The wide format from 768 px on, the mobile banner below, and in a column that is too narrow for the wide one. */
export function ResponsiveAdSlot({
  wide,
  className,
}: {
  wide: 'leaderboard' | 'banner';
  className?: string;
}) {
  if (!useAds()) return null;
  return (
    <div data-ad className={clsx('@container', className)}>
      <AdSlot format={wide} className="max-md:hidden @max-[728px]:hidden" />
      <AdSlot format="mobile" className="md:@min-[728px]:hidden" />
    </div>
  );
}

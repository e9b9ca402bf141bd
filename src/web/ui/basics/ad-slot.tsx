import { clsx } from 'clsx';
import { createContext, use } from 'react';

/**
 * Advertising formats, width by height in CSS pixels. The space is reserved before an ad is shown. A slot keeps its size in a
 * narrower column and then overhangs it on both sides.
 */
const FORMATS = {
  leaderboard: 'h-[90px] w-[728px] mx-[calc(50%-364px)]',
  banner: 'h-[90px] w-[728px] mx-[calc(50%-364px)]',
  rectangle: 'h-[250px] w-[300px] mx-[calc(50%-150px)]',
  mobile: 'h-[50px] w-[320px] mx-[calc(50%-160px)]',
} as const;

const AdsContext = createContext(true);

/** Provides whether ads are shown. Without ads, slots take no space. */
export const AdsProvider = AdsContext.Provider;

export const useAds = (): boolean => use(AdsContext);

interface AdSlotProps {
  format: keyof typeof FORMATS;
  className?: string;
}

/** An empty slot with a small label. It has no corner marks, because those are for pictures. */
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

/** The wide format from a width of 768 px; the mobile banner below that and in columns narrower than the wide format. */
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

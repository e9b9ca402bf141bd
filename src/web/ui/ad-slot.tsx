import { createContext, use } from 'react';
import { classNames } from './class-names.ts';

/** Advertising formats, width by height in CSS pixels. The space is reserved before anything is shown in it. */
const FORMATS = {
  leaderboard: { size: '728 × 90', box: 'h-22.5 max-w-182' },
  banner: { size: '728 × 90', box: 'h-22.5 max-w-182' },
  rectangle: { size: '300 × 250', box: 'h-62.5 max-w-75' },
  mobile: { size: '320 × 50', box: 'h-12.5 max-w-80' },
} as const;

const AdsContext = createContext(true);

/** Around everything that may have slots. Without ads nothing is reserved for any. */
export const AdsProvider = AdsContext.Provider;

/** Whether whoever uses the page sees advertising. */
export const useAds = (): boolean => use(AdsContext);

interface AdSlotProps {
  format: keyof typeof FORMATS;
  className?: string;
}

/** An empty slot drawn like a printer's: crop marks and its size, quiet enough to read past. */
export function AdSlot({ format, className }: AdSlotProps) {
  const { size, box } = FORMATS[format];
  if (!useAds()) return null;
  return (
    <div
      data-ad
      data-ad-format={format}
      className={classNames(
        'crop-marks mx-auto flex w-full items-center justify-center text-xs text-ink-faint',
        box,
        className,
      )}
    >
      <span>Advertisement</span>
      <span aria-hidden="true" className="ml-2 font-mono">
        {size}
      </span>
    </div>
  );
}

/** The wide format from 768 px on, the mobile banner below. */
export function ResponsiveAdSlot({
  wide,
  className,
}: {
  wide: 'leaderboard' | 'banner';
  className?: string;
}) {
  if (!useAds()) return null;
  return (
    <div data-ad className={className}>
      <AdSlot format={wide} className="max-md:hidden" />
      <AdSlot format="mobile" className="md:hidden" />
    </div>
  );
}

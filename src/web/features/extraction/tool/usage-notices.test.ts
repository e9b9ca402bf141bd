import { describe, expect, it } from 'vitest';
import { limitWarning } from './usage-notices.tsx';

describe('limitWarning', () => {
  it('returns null while more than one extraction is left', () => {
    expect(limitWarning({ imageCount: 1, dailyLimit: 3 })).toBeNull();
  });

  it('warns before the last extraction', () => {
    expect(limitWarning({ imageCount: 2, dailyLimit: 3 })).toBe(
      'Only 1 extraction remaining today. Upgrade to Premium for unlimited access!',
    );
  });

  it('warns when the limit is reached or exceeded', () => {
    const text = 'Daily limit reached. Upgrade to Premium for unlimited extractions!';
    expect(limitWarning({ imageCount: 3, dailyLimit: 3 })).toBe(text);
    expect(limitWarning({ imageCount: 5, dailyLimit: 3 })).toBe(text);
  });
});

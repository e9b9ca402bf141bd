/** The name of the cache with the engine's files. It holds nothing personal, so that it stays when others are removed. */
export const DEVICE_CACHE = 'device-engine';

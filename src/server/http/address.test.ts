import { describe, expect, it } from 'vitest';
import { groupAddress } from './address.ts';

const group = (ip: string, day = '2026-05-04', key = 'k') => groupAddress(ip, day, key);

describe('an address', () => {
  it('of IPv4 is its own group, also IPv4-mapped in IPv6', () => {
    expect(group('192.0.2.1')).toEqual(group('::ffff:192.0.2.1'));
    expect(group('192.0.2.1')).not.toEqual(group('192.0.2.2'));
    expect(group('192.0.2.1').network).toBeUndefined();
  });

  it('of IPv6 is grouped by /64 and /48', () => {
    const one = group('2001:db8:1:2::1');
    const sameHousehold = group('2001:db8:1:2:ffff::2%eth0');
    const sameNetwork = group('2001:db8:1:3::1');
    const other = group('2001:db8:2::1');
    expect(sameHousehold).toEqual(one);
    expect(sameNetwork.address).not.toBe(one.address);
    expect(sameNetwork.network).toBe(one.network);
    expect(other.network).not.toBe(one.network);
  });

  it('is hashed with a key, differently every day', () => {
    const { address } = group('192.0.2.1');
    expect(address).toMatch(/^[\w-]{22}$/);
    expect(group('192.0.2.1', '2026-05-05').address).not.toBe(address);
    expect(group('192.0.2.1', '2026-05-04', 'another key').address).not.toBe(address);
  });

  it('that is invalid shares a group with all other invalid ones', () => {
    expect(group('unix:')).toEqual(group(''));
  });
});

import { describe, expect, it } from 'vitest';
import { groupAddress } from './address.ts';

const group = (ip: string, day = '2026-05-04', key = 'k') => groupAddress(ip, day, key);

describe('an address', () => {
  it('stands for itself in IPv4, also when it comes in IPv6’s clothes', () => {
    expect(group('192.0.2.1')).toEqual(group('::ffff:192.0.2.1'));
    expect(group('192.0.2.1')).not.toEqual(group('192.0.2.2'));
    expect(group('192.0.2.1').network).toBeUndefined();
  });

  it('stands for its /64 in IPv6, and that for its /48', () => {
    const one = group('2001:db8:1:2::1');
    const sameHousehold = group('2001:db8:1:2:ffff::2%eth0');
    const sameNetwork = group('2001:db8:1:3::1');
    const other = group('2001:db8:2::1');
    expect(sameHousehold).toEqual(one);
    expect(sameNetwork.address).not.toBe(one.address);
    expect(sameNetwork.network).toBe(one.network);
    expect(other.network).not.toBe(one.network);
  });

  it('cannot be read or followed: its hash needs the key and changes daily', () => {
    const { address } = group('192.0.2.1');
    expect(address).toMatch(/^[\w-]{22}$/);
    expect(group('192.0.2.1', '2026-05-05').address).not.toBe(address);
    expect(group('192.0.2.1', '2026-05-04', 'another key').address).not.toBe(address);
  });

  it('that is none is counted with all others that are none', () => {
    expect(group('unix:')).toEqual(group(''));
  });
});

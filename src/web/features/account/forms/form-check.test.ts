import { describe, expect, it } from 'vitest';
import { checkLogin, checkNewPassword, checkRegister } from './form-check.ts';

describe('the login form', () => {
  it('requires both fields and returns the empty ones', () => {
    expect(checkLogin({ username: ' ', password: '' })).toEqual({
      message: 'Please fill in all fields',
      fields: ['username', 'password'],
    });
    expect(checkLogin({ username: 'ada', password: '' })?.fields).toEqual(['password']);
  });

  it('accepts any username and password', () => {
    expect(checkLogin({ username: 'ada@example.com', password: 'x' })).toBeNull();
  });
});

describe('the registration form', () => {
  const good = {
    username: 'ada',
    email: 'ada@example.com',
    password: 'quire and ream',
    confirmation: 'quire and ream',
  };

  it('accepts valid values', () => {
    expect(checkRegister(good)).toBeNull();
  });

  it('requires username, address and password before other checks', () => {
    expect(checkRegister({ ...good, email: '', confirmation: 'other' })).toEqual({
      message: 'Please fill in all fields',
      fields: ['email'],
    });
  });

  it('reports different passwords before a short password', () => {
    expect(checkRegister({ ...good, password: 'abc', confirmation: '' })?.message).toBe(
      'Passwords do not match',
    );
    expect(checkRegister({ ...good, password: 'abcde', confirmation: 'abcde' })).toEqual({
      message: 'Password must be at least 6 characters long',
      fields: ['password'],
    });
    expect(checkRegister({ ...good, password: 'abcdef', confirmation: 'abcdef' })).toBeNull();
  });

  it('reports an invalid username or address', () => {
    expect(checkRegister({ ...good, username: 'ada@example.com' })?.fields).toEqual(['username']);
    expect(checkRegister({ ...good, email: 'ada at example' })).toEqual({
      message: 'Please enter a valid email address',
      fields: ['email'],
    });
  });
});

it('new password: accepts spaces only, and rejects an empty password', () => {
  expect(checkNewPassword({ password: '      ', confirmation: '      ' })).toBeNull();
  expect(checkNewPassword({ password: '', confirmation: '' })?.message).toBe('Please fill in all fields');
});

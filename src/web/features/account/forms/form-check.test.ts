import { describe, expect, it } from 'vitest';
import { checkLogin, checkNewPassword, checkRegister } from './form-check.ts';

describe('the login form', () => {
  it('wants both fields and names those that are empty', () => {
    expect(checkLogin({ username: ' ', password: '' })).toEqual({
      message: 'Please fill in all fields',
      fields: ['username', 'password'],
    });
    expect(checkLogin({ username: 'ada', password: '' })?.fields).toEqual(['password']);
  });

  it('leaves it to the server whether they are right', () => {
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

  it('is sent when everything is right', () => {
    expect(checkRegister(good)).toBeNull();
  });

  it('wants username, address and password before it looks at anything else', () => {
    expect(checkRegister({ ...good, email: '', confirmation: 'other' })).toEqual({
      message: 'Please fill in all fields',
      fields: ['email'],
    });
  });

  it('says that the passwords differ before it says that one is short', () => {
    expect(checkRegister({ ...good, password: 'abc', confirmation: '' })?.message).toBe(
      'Passwords do not match',
    );
    expect(checkRegister({ ...good, password: 'abcde', confirmation: 'abcde' })).toEqual({
      message: 'Password must be at least 6 characters long',
      fields: ['password'],
    });
    expect(checkRegister({ ...good, password: 'abcdef', confirmation: 'abcdef' })).toBeNull();
  });

  it('points at a username or an address that cannot be one', () => {
    expect(checkRegister({ ...good, username: 'ada@example.com' })?.fields).toEqual(['username']);
    expect(checkRegister({ ...good, email: 'ada at example' })).toEqual({
      message: 'Please enter a valid email address',
      fields: ['email'],
    });
  });
});

it('new password: given only spaces, counts as a password; given nothing, does not', () => {
  expect(checkNewPassword({ password: '      ', confirmation: '      ' })).toBeNull();
  expect(checkNewPassword({ password: '', confirmation: '' })?.message).toBe('Please fill in all fields');
});
